import type {
  ModelNetwork,
  Tensor,
  Tokenizer,
  TransformersRuntime,
} from './transformers-runtime.ts';

export type LoadedNetwork = {
  runtime: TransformersRuntime;
  tokenizer: Tokenizer;
  network: ModelNetwork;
};

/** The tokens of a text, or of a question with a text; `at` is its index in the input. */
export type TokenizedText = { at: number; ids: number[]; types: number[] };

/**
 * Longer texts are cut, even if a model accepts more, because the memory for attention grows with
 * the square of the length. About 1,500 words.
 */
const textTokensMax = 2048;

/**
 * Tokens computed at once, including padding. Larger batches are not faster on a CPU, and a
 * question waits for at most one batch.
 */
const batchTokensMax = 2048;

/** An upper bound of the average token; longer texts are cut before tokenization. */
const tokenMaxChars = 16;

/** Tokenizes texts, each after its question if `questions` has one, and cuts long ones. */
export function tokenize(
  { tokenizer, network }: LoadedNetwork,
  texts: readonly string[],
  questions: readonly string[] | null = null,
): TokenizedText[] {
  const max = tokenLimitOf({ tokenizer, network });
  const cut = (tooLong: readonly string[]) =>
    tooLong.map((text) => text.slice(0, max * tokenMaxChars));
  const pairs = questions === null ? {} : { text_pair: cut(texts) };
  const { input_ids, token_type_ids } = tokenizer(cut(questions ?? texts), {
    ...pairs,
    padding: false,
    truncation: false,
    return_tensor: false,
  });
  return input_ids.map((ids, at) => {
    const types = token_type_ids?.[at] ?? ids.map(() => 0);
    return { at, ids: truncateTokens(ids, max), types: truncateTokens(types, max) };
  });
}

/** Keeps the last token, which marks the end. */
function truncateTokens(values: number[], max: number): number[] {
  return values.length <= max ? values : [...values.slice(0, max - 1), ...values.slice(-1)];
}

/** Models of this kind count positions from the number of the padding token. */
const offsetModelTypes = /roberta|camembert|mpnet/;

function tokenLimitOf({
  tokenizer,
  network,
}: Pick<LoadedNetwork, 'tokenizer' | 'network'>): number {
  const { max_position_embeddings: places = textTokensMax, model_type = '' } = network.config;
  const modelMax = tokenizer.model_max_length ?? textTokensMax;
  return Math.min(textTokensMax, modelMax, offsetModelTypes.test(model_type) ? places - 2 : places);
}

/** Texts of similar length together, which need little padding. */
export function batchByLength(texts: readonly TokenizedText[]): TokenizedText[][] {
  const sorted = [...texts].sort((one, other) => one.ids.length - other.ids.length);
  const batches: TokenizedText[][] = [];
  let batch: TokenizedText[] = [];
  for (const tokens of sorted) {
    if (batch.length > 0 && (batch.length + 1) * tokens.ids.length > batchTokensMax) {
      batches.push(batch);
      batch = [];
    }
    batch.push(tokens);
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** The network's output for a batch; shorter texts are padded at their ends. */
export function runNetwork(
  { runtime, tokenizer, network }: LoadedNetwork,
  batch: readonly TokenizedText[],
): Promise<Record<string, Tensor | undefined>> {
  const width = Math.max(...batch.map(({ ids }) => ids.length));
  const tensor = (filler: number, valuesOf: (tokens: TokenizedText) => readonly number[]) => {
    const data = new BigInt64Array(batch.length * width).fill(BigInt(filler));
    batch.forEach((tokens, row) => {
      data.set(valuesOf(tokens).map(BigInt), row * width);
    });
    return new runtime.Tensor('int64', data, [batch.length, width]);
  };
  return network({
    input_ids: tensor(tokenizer.pad_token_id ?? 0, ({ ids }) => ids),
    attention_mask: tensor(0, ({ ids }) => ids.map(() => 1)),
    token_type_ids: tensor(0, ({ types }) => types),
  });
}

/** The rows of a tensor along its last dimension. */
export function tensorRows(tensor: Tensor): { size: number; row(index: number): Float32Array } {
  const { data, dims } = tensor.type === 'float32' ? tensor : tensor.to('float32');
  const size = dims.at(-1) ?? 0;
  const values = data instanceof Float32Array ? data : Float32Array.from(data);
  return { size, row: (index) => values.subarray(index * size, (index + 1) * size) };
}
