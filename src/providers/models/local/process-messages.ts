// What the program and the process of a model tell each other.

/** Which model is loaded, and how. */
export type ModelSettings = {
  task: 'embed' | 'rerank';
  /** A name on the hub, or the path of a folder. */
  model: string;
  isFolder: boolean;
  revision: string;
  dtype: string;
  threads: number;
  /** Holds what is downloaded, and perhaps the package that runs models. */
  models_dir: string;
  hub_url: string;
  /** Whether what is missing may be fetched from the hub. */
  download: boolean;
  /** Null leaves it to the model's own files, and then to its name. */
  pooling: Pooling | null;
  prefixes: Record<EmbeddingPurpose, string | null>;
  /** Shorter vectors than the model makes; null keeps them. */
  dimensions: number | null;
};

export type Pooling = 'mean' | 'cls' | 'last';
export type EmbeddingPurpose = 'question' | 'memory';

export type ModelRequest =
  | { task: 'embed'; texts: readonly string[]; purpose: EmbeddingPurpose }
  | { task: 'rerank'; texts: readonly string[]; question: string };

/** Vectors for `embed`, a share of 0 to 1 for each text for `rerank`. */
export type ModelResult = Float32Array[] | number[];

export type ToModelProcess =
  | { load: ModelSettings }
  | { id: number; ask: ModelRequest }
  /** Nobody waits for that answer any more. */
  | { cancel: number };

export type FromModelProcess =
  | { loading: DownloadProgress }
  | { loaded: { threads: number } }
  /** The model can't be had: the process ends. */
  | { failed: string }
  | { id: number; answer: ModelResult }
  | { id: number; error: string };

/** Bytes that have come of those that are known of. */
export type DownloadProgress = { bytes: number; total: number };

/** How the reason of a failure ends when the model only has to be downloaded. */
export const notDownloadedSuffix = 'on this machine yet';
