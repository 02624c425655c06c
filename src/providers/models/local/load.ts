import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Model } from './answering.ts';
import { createEmbedding } from './embedding.ts';
import { createJudging } from './judging.ts';
import { keptIn, readManner } from './own-files.ts';
import type { Download, ModelSettings } from './protocol.ts';
import {
  type LoadOptions,
  loadRuntime,
  MissingFile,
  type ProgressEvent,
  type Runtime,
} from './runtime.ts';

/** Loads a model, from the hub where it has to be. Throws whatever the runtime throws. */
export async function loadModel(
  settings: ModelSettings,
  tell: (download: Download) => void,
): Promise<Model> {
  const runtime = loadRuntime(settings);
  const { name, folder } = placeOf(settings);
  configure(runtime, settings, folder);
  removeRemains(join(folder, name));
  const options: LoadOptions = {
    revision: settings.revision,
    dtype: settings.dtype,
    device: 'cpu',
    session_options: { intraOpNumThreads: settings.threads, interOpNumThreads: 1 },
    progress_callback: toldSeldom(tell),
  };
  const tokenizer = await runtime.AutoTokenizer.from_pretrained(name, options).catch((error) => {
    throw missing(error, settings, join(folder, name));
  });
  if (settings.task === 'rerank') {
    const { AutoModelForSequenceClassification: Judge } = runtime;
    return createJudging({
      runtime,
      tokenizer,
      network: await Judge.from_pretrained(name, options),
    });
  }
  const network = await runtime.AutoModel.from_pretrained(name, options);
  const manner = await readManner(settings, join(folder, name));
  return createEmbedding({ runtime, tokenizer, network }, { ...settings, manner });
}

/** The folder in which the runtime looks for a model of that name before it asks the hub. */
function placeOf({ model, isFolder, models_dir }: ModelSettings): { name: string; folder: string } {
  if (isFolder) return { name: basename(model), folder: dirname(model) };
  return { name: model, folder: join(models_dir, 'hub') };
}

function configure({ env, LogLevel }: Runtime, settings: ModelSettings, folder: string): void {
  const { isFolder, download, hub_url } = settings;
  const asks = download && !isFolder;
  if (asks) mkdirSync(folder, { recursive: true });
  Object.assign(env, {
    allowLocalModels: true,
    allowRemoteModels: asks,
    // Downloads are in the cache; looked up by path, one revision would pass for another.
    localModelPath: isFolder ? folder : join(folder, '.none'),
    cacheDir: folder,
    remoteHost: `${hub_url.replace(/\/+$/, '')}/`,
    logLevel: LogLevel.NONE,
  });
}

/** The runtime stumbles over files that are not there. */
function missing(error: unknown, settings: ModelSettings, folder: string): unknown {
  if (!(error instanceof TypeError) || error.cause !== undefined) return error;
  const kept = keptIn(settings, folder);
  const file = ['config.json', 'tokenizer.json'].find((name) => !existsSync(join(kept, name)));
  return file === undefined ? error : new MissingFile(file, { cause: error });
}

/** Parts of downloads whose process is gone. */
function removeRemains(folder: string): void {
  for (const file of filesIn(folder)) {
    const [, pid] = /\.tmp\.(\d+)\.\w+$/.exec(file) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, file), { force: true });
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return []; // nothing has been downloaded yet
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // what kill throws
  }
}

const tellEveryMs = 250;

function toldSeldom(tell: (download: Download) => void): (event: ProgressEvent) => void {
  let next = 0;
  return ({ status, loaded = 0, total = 0 }) => {
    if (status !== 'progress_total' || performance.now() < next) return;
    next = performance.now() + tellEveryMs;
    tell({ bytes: loaded, total });
  };
}
