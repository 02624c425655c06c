/** A model that `mneme models use` fetches by its short name. */
export type CatalogModel = {
  /** The short name. */
  name: string;
  /** Its name on the hub. */
  model: string;
  /** The commit whose files are fetched; `main` where none is pinned. */
  revision: string;
  languages: string;
  dimensions: number;
  /** The size of its files, with the weights as fp32. */
  bytes: number;
  measured: SearchQuality | null;
  /** SHA-256 by file. The hash of any other file is recorded when it is first fetched. */
  hashes: Readonly<Record<string, string>>;
};

/** Figures of `npm run bench:models`; test/bench/README.md says how they are measured. */
export type SearchQuality = {
  /** Percent of English questions in other words whose answer is among the first 5. */
  english: number;
  /** The same in eight other languages. */
  other_languages: number;
  /** Percent of LoCoMo's evidence among the first 10; null if only a part of it was asked. */
  locomo: number | null;
};

/** Search without any embedding model, to compare with. */
export const wordsQuality = { english: 0, other_languages: 1, locomo: 79.7 };

/** The default: the tables of the package. */
export const tableModel = {
  name: 'table',
  languages: '9',
  dimensions: 256,
  measured: { english: 62, other_languages: 63, locomo: 80.1 },
} as const;

export const catalog: readonly CatalogModel[] = [
  {
    name: 'all-minilm-l6-v2',
    model: 'Xenova/all-MiniLM-L6-v2',
    revision: '751bff37182d3f1213fa05d7196b954e230abad9',
    languages: 'English',
    dimensions: 384,
    bytes: 91_100_000,
    measured: { english: 77, other_languages: 17, locomo: 79.9 },
    hashes: {
      'config.json': '7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7',
      'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
      'tokenizer_config.json': '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
      'onnx/model.onnx': '759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e',
      'onnx/model_quantized.onnx':
        'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    },
  },
  {
    name: 'bge-small-en-v1.5',
    model: 'Xenova/bge-small-en-v1.5',
    revision: 'ea104dacec62c0de699686887e3f920caeb4f3e3',
    languages: 'English',
    dimensions: 384,
    bytes: 133_800_000,
    measured: null,
    hashes: {
      'tokenizer.json': 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
      'onnx/model.onnx': '828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35',
    },
  },
  {
    name: 'multilingual-e5-small',
    model: 'Xenova/multilingual-e5-small',
    revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
    languages: '100',
    dimensions: 384,
    bytes: 487_000_000,
    measured: { english: 62, other_languages: 72, locomo: null },
    hashes: {
      'config.json': 'cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1',
      'tokenizer.json': '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
      'tokenizer_config.json': 'a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b',
      'onnx/model_quantized.onnx':
        'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
    },
  },
  {
    name: 'arctic-embed-m-v1.5',
    model: 'Snowflake/snowflake-arctic-embed-m-v1.5',
    revision: 'main',
    languages: 'English',
    dimensions: 768,
    bytes: 436_000_000,
    measured: null,
    hashes: {},
  },
];

/** All names that `mneme models use` takes. */
export const modelNames: readonly string[] = [tableModel.name, ...catalog.map(({ name }) => name)];

/** The value of `local_embedder` for a model of the catalog. */
export function hubNameOf({ model, revision }: CatalogModel): string {
  return revision === 'main' ? model : `${model}@${revision}`;
}
