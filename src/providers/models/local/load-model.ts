import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createEmbeddingNetwork } from './embedding-network.ts';
import { readConventions, revisionFolder } from './model-config-files.ts';
import type { DownloadProgress, ModelSettings } from './process-messages.ts';
import type { StepwiseModel } from './request-queue.ts';
import { createRerankingNetwork } from './reranking-network.ts';
import {
  type LoadOptions,
  loadRuntime,
  MissingFile,
  type ProgressEvent,
  type TransformersRuntime,
} from './transformers-runtime.ts';

/** Loads a model, downloading it from the hub if needed. Throws the runtime's errors. */
export async function loadModel(
  settings: ModelSettings,
  tell: (download: DownloadProgress) => void,
): Promise<StepwiseModel> {
  const runtime = loadRuntime(settings);
  const { name, folder } = modelLocation(settings);
  configureRuntime(runtime, settings, folder);
  removeStaleDownloads(join(folder, name));
  const options: LoadOptions = {
    revision: settings.revision,
    dtype: settings.dtype,
    device: 'cpu',
    session_options: { intraOpNumThreads: settings.threads, interOpNumThreads: 1 },
    progress_callback: throttledProgress(tell),
  };
  const tokenizer = await runtime.AutoTokenizer.from_pretrained(name, options).catch((error) => {
    throw missingFileError(error, settings, join(folder, name));
  });
  if (settings.task === 'rerank') {
    const { AutoModelForSequenceClassification: Judge } = runtime;
    return createRerankingNetwork({
      runtime,
      tokenizer,
      network: await Judge.from_pretrained(name, options),
    });
  }
  const network = await runtime.AutoModel.from_pretrained(name, options);
  const conventions = await readConventions(settings, join(folder, name));
  return createEmbeddingNetwork({ runtime, tokenizer, network }, { ...settings, conventions });
}

/** The folder in which the runtime looks for a model before it asks the hub. */
function modelLocation({ model, isFolder, models_dir }: ModelSettings): {
  name: string;
  folder: string;
} {
  if (isFolder) return { name: basename(model), folder: dirname(model) };
  return { name: model, folder: join(models_dir, 'hub') };
}

function configureRuntime(
  { env, LogLevel }: TransformersRuntime,
  settings: ModelSettings,
  folder: string,
): void {
  const { isFolder, download, hub_url } = settings;
  const asks = download && !isFolder;
  if (asks) mkdirSync(folder, { recursive: true });
  Object.assign(env, {
    allowLocalModels: true,
    allowRemoteModels: asks,
    // Downloads are in the cache; looked up by path, one revision would pass for another.
    localModelPath: isFolder ? folder : join(folder, '.none'),
    cacheDir: folder,
    remoteHost: `${hub_url.replace(/(?<!\/)\/+$/, '')}/`,
    logLevel: LogLevel.NONE,
  });
}

/** The runtime's errors about missing files are unclear, so this names the file. */
function missingFileError(error: unknown, settings: ModelSettings, folder: string): unknown {
  if (!(error instanceof TypeError) || error.cause !== undefined) return error;
  const revision = revisionFolder(settings, folder);
  const file = ['config.json', 'tokenizer.json'].find((name) => !existsSync(join(revision, name)));
  return file === undefined ? error : new MissingFile(file, { cause: error });
}

/** Removes partial downloads of processes that have exited. */
function removeStaleDownloads(folder: string): void {
  for (const file of downloadedFiles(folder)) {
    const [, pid] = /\.tmp\.(\d+)\.\w+$/.exec(file) ?? [];
    if (pid !== undefined && !isProcessAlive(Number(pid)))
      rmSync(join(folder, file), { force: true });
  }
}

function downloadedFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return []; // nothing has been downloaded yet
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // what kill throws
  }
}

const progressEveryMs = 250;

function throttledProgress(
  tell: (download: DownloadProgress) => void,
): (event: ProgressEvent) => void {
  let next = 0;
  return ({ status, loaded = 0, total = 0 }) => {
    if (status !== 'progress_total' || performance.now() < next) return;
    next = performance.now() + progressEveryMs;
    tell({ bytes: loaded, total });
  };
}
