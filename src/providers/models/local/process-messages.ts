// The messages between the program and the process of a model.

/** Which model is loaded, and how. */
export type ModelSettings = {
  task: 'embed' | 'rerank';
  /** A name on the hub, or the path of a folder. */
  model: string;
  isFolder: boolean;
  revision: string;
  dtype: string;
  threads: number;
  /** The folder of downloads, and possibly of the package that runs models. */
  models_dir: string;
  hub_url: string;
  /** Whether missing files may be downloaded from the hub. */
  download: boolean;
  /** Null for what the model's own files say, or else its name. */
  pooling: Pooling | null;
  prefixes: Record<EmbeddingPurpose, string | null>;
  /** Shortens the model's vectors; null keeps their length. */
  dimensions: number | null;
};

export type Pooling = 'mean' | 'cls' | 'last';
export type EmbeddingPurpose = 'question' | 'memory';

export type ModelRequest =
  | { task: 'embed'; texts: readonly string[]; purpose: EmbeddingPurpose }
  | { task: 'rerank'; texts: readonly string[]; question: string };

/** Vectors for `embed`; a number from 0 to 1 for each text for `rerank`. */
export type ModelResult = Float32Array[] | number[];

export type ToModelProcess =
  | { load: ModelSettings }
  | { id: number; ask: ModelRequest }
  /** The caller no longer waits for the result. */
  | { cancel: number };

export type FromModelProcess =
  | { loading: DownloadProgress }
  | { loaded: { threads: number } }
  /** The model cannot be loaded: the process ends. */
  | { failed: string }
  | { id: number; answer: ModelResult }
  | { id: number; error: string };

/** Bytes received so far, of the files whose size is known. */
export type DownloadProgress = { bytes: number; total: number };

/** How the reason of a failure ends if the model only has to be downloaded. */
export const notDownloadedSuffix = 'on this machine yet';
