import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The parts of `@huggingface/transformers` that are used here. */
export type TransformersRuntime = {
  env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    localModelPath: string;
    cacheDir: string;
    remoteHost: string;
    logLevel: number;
  };
  LogLevel: { NONE: number };
  AutoTokenizer: PretrainedLoader<Tokenizer>;
  AutoModel: PretrainedLoader<ModelNetwork>;
  AutoModelForSequenceClassification: PretrainedLoader<ModelNetwork>;
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => Tensor;
};

type PretrainedLoader<T> = { from_pretrained(model: string, options: LoadOptions): Promise<T> };

export type LoadOptions = {
  revision: string;
  dtype?: string;
  device?: string;
  session_options?: object;
  progress_callback?: (event: ProgressEvent) => void;
};

export type ProgressEvent = { status: string; loaded?: number; total?: number };

export type Tokenizer = {
  (
    texts: string[],
    options: {
      text_pair?: string[];
      padding: false;
      truncation: false;
      return_tensor: false;
    },
  ): { input_ids: number[][]; token_type_ids?: number[][] };
  pad_token_id?: number | undefined;
  model_max_length?: number | undefined;
};

export type ModelNetwork = {
  (inputs: Record<string, Tensor>): Promise<Record<string, Tensor | undefined>>;
  config: { model_type?: string; max_position_embeddings?: number };
};

export type Tensor = {
  type: string;
  dims: number[];
  data: ArrayLike<number>;
  to(type: 'float32'): Tensor;
};

export const runtimePackage = '@huggingface/transformers';

export class MissingRuntime extends Error {}

/** The message is the name of the file. */
export class MissingFile extends Error {}

/** Loads the package from next to the program, or from the folder of models. */
export function loadRuntime({ models_dir }: { models_dir: string }): TransformersRuntime {
  const places = [import.meta.url, join(models_dir, 'any.js')].map((place) => createRequire(place));
  for (const require of places) {
    try {
      require.resolve(runtimePackage);
    } catch {
      continue;
    }
    return require(runtimePackage) as TransformersRuntime; // its published interface
  }
  throw new MissingRuntime(runtimePackage);
}
