import { mkdir, open, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, EnvHttpProxyAgent, fetch } from 'undici';
import { environment } from '../../config/environment.ts';
import type { Config } from '../../config/options.ts';
import { ApiError, errorCodeOf } from '../../contract/errors.ts';
import {
  type DownloadFetch,
  downloadFile,
  findHubFile,
  hashFile,
} from '../../providers/models/local/download-file.ts';
import { readFetchedFiles, writeFetchedFiles } from '../../providers/models/local/fetched-files.ts';
import {
  installRuntime,
  isRuntimeInstalled,
  runtimeBytes,
  runtimeVersion,
} from '../../providers/models/local/install-runtime.ts';
import {
  downloadFolder,
  filesOfModel,
  isDownloaded,
  type ModelFile,
} from '../../providers/models/local/model-files.ts';
import { runtimePackage } from '../../providers/models/local/transformers-runtime.ts';
import { isLoopback } from '../loopback.ts';
import { modelProcessEnv } from './local-model-options.ts';
import type { CatalogModel } from './model-catalog.ts';

/** A file of a fetched model, and what its SHA-256 was compared with. */
export type FetchedFile = { file: string; sha256: string; checked: 'known' | 'recorded' | 'first' };

type ModelsConfig = Pick<Config, 'local_models_dir' | 'local_hub_url' | 'local_dtype'>;

export type FetchOptions = {
  /** Gets the progress in words, often. */
  onProgress: (words: string) => void;
  /** The free space of a folder, in bytes. */
  freeBytes?: (folder: string) => Promise<number>;
};

/**
 * Installs the package that runs models and downloads the files of a model. What is there already
 * is checked and kept. Throws errors of one line that say what to do.
 */
export async function fetchModel(
  config: ModelsConfig,
  model: CatalogModel,
  { onProgress, freeBytes = freeBytesOf }: FetchOptions,
): Promise<FetchedFile[]> {
  const { local_models_dir: models_dir } = config;
  try {
    await mkdir(models_dir, { recursive: true });
    return await withFetchLock(models_dir, async () => {
      await checkSpace(config, { model, freeBytes });
      if (!isRuntimeInstalled(models_dir)) {
        const words = `installing ${runtimePackage} ${runtimeVersion} with npm`;
        const env = modelProcessEnv();
        await installRuntime({ models_dir, env, onWait: () => onProgress(words) });
      }
      return await fetchFiles(config, model, onProgress);
    });
  } catch (error) {
    throw toFolderError(error, models_dir);
  }
}

/** Whether a model, and the package that runs models, are on this machine. */
export function inspectModels(
  { local_models_dir, local_dtype }: ModelsConfig,
  models: readonly CatalogModel[],
) {
  const runtime = isRuntimeInstalled(local_models_dir);
  const downloaded = models
    .filter((model) => isDownloaded(downloadFolder(local_models_dir, model), local_dtype))
    .map(({ name }) => name);
  return { runtime, downloaded };
}

async function fetchFiles(
  config: ModelsConfig,
  model: CatalogModel,
  onProgress: (words: string) => void,
): Promise<FetchedFile[]> {
  const { local_models_dir: models_dir, local_hub_url: hub_url, local_dtype } = config;
  const connection = openDownloads(hub_url);
  const fetched: FetchedFile[] = [];
  try {
    for (const file of filesOfModel(local_dtype)) {
      const one = await fetchFile(file, { ...connection, models_dir, hub_url, model, onProgress });
      if (one !== null) fetched.push(one);
    }
    return fetched;
  } finally {
    await connection.close();
  }
}

type FetchFileOptions = Pick<Connection, 'fetch' | 'headers'> & {
  models_dir: string;
  hub_url: string;
  model: CatalogModel;
  onProgress: (words: string) => void;
};

/** Null if the hub does not have a file that is not required. */
async function fetchFile(
  { file, required }: ModelFile,
  { models_dir, hub_url, model, onProgress, ...hub }: FetchFileOptions,
): Promise<FetchedFile | null> {
  const recorded = await readFetchedFiles(models_dir);
  const key = `${model.model}@${model.revision}/${file}`;
  const expectedHash = model.hashes[file] ?? recorded[key] ?? null;
  const checked = model.hashes[file] ? 'known' : recorded[key] ? 'recorded' : 'first';
  const path = join(downloadFolder(models_dir, model), file);
  const present = await hashOfPresent(path);
  if (present !== null && expectedHash !== null && present === expectedHash) {
    return { file, sha256: present, checked };
  }
  const url = `${hub_url.replace(/(?<!\/)\/+$/, '')}/${model.model}/resolve/${model.revision}/${file}`;
  const hubFile = await findHubFile(url, hub);
  if (hubFile === null) return required ? failMissing(file, model, hub_url) : null;
  const check = (sha256: string) => {
    const wanted = expectedHash ?? hubFile.sha256;
    if (wanted !== null && sha256 !== wanted) throw hashError({ file, model, sha256, wanted });
  };
  const size = hubFile.bytes === null ? '' : ` of ${megabytes(hubFile.bytes)}`;
  const { sha256 } = await downloadFile(hubFile, {
    ...hub,
    path,
    check,
    onProgress: (bytes) => onProgress(`${model.name}, ${file}: ${megabytes(bytes)}${size}`),
  });
  await writeFetchedFiles(models_dir, { ...(await readFetchedFiles(models_dir)), [key]: sha256 });
  return { file, sha256, checked };
}

async function hashOfPresent(path: string): Promise<string | null> {
  try {
    return await hashFile(path);
  } catch {
    return null; // not there yet
  }
}

function failMissing(file: string, { model }: CatalogModel, hub_url: string): never {
  const dtype = file.endsWith('.onnx') ? ', which local_dtype asks for' : '';
  throw new ApiError('not_found', `${model} has no ${file} at ${hub_url}${dtype}`);
}

type WrongHash = { file: string; model: CatalogModel; sha256: string; wanted: string };

function hashError({ file, model, sha256, wanted }: WrongHash): ApiError {
  const hashes = `SHA-256 ${sha256.slice(0, 12)}... instead of ${wanted.slice(0, 12)}...`;
  const message = `${file} of ${model.model} has the ${hashes} and was removed`;
  return new ApiError('conflict', message, {
    next: 'The download is damaged, or the hub serves another file: see local_hub_url.',
  });
}

/** A little more than the files need, because the store grows by the new vectors. */
const spareBytes = 50_000_000;

async function checkSpace(
  { local_models_dir: models_dir, local_dtype }: ModelsConfig,
  { model, freeBytes }: { model: CatalogModel } & Required<Pick<FetchOptions, 'freeBytes'>>,
): Promise<void> {
  const isThere = isDownloaded(downloadFolder(models_dir, model), local_dtype);
  const files = isThere ? 0 : model.bytes;
  const needed = files + (isRuntimeInstalled(models_dir) ? 0 : runtimeBytes);
  if (needed === 0) return;
  const free = await freeBytes(models_dir);
  if (free >= needed + spareBytes) return;
  const sizes = `${megabytes(needed + spareBytes)}, and ${megabytes(free)} are free`;
  throw new ApiError('unavailable', `${model.name} needs ${sizes} in ${models_dir}`, {
    next: 'Free some space, or choose another folder with local_models_dir.',
  });
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Runs while no other process fetches into the folder. */
async function withFetchLock<T>(models_dir: string, run: () => Promise<T>): Promise<T> {
  const path = join(models_dir, '.fetching');
  await takeFetchLock(path);
  try {
    return await run();
  } finally {
    await rm(path, { force: true });
  }
}

async function takeFetchLock(path: string): Promise<void> {
  const owner = Number(await readFile(path, 'utf8').catch(() => ''));
  // A process that died left its lock behind.
  if (owner !== 0 && !isProcessAlive(owner)) await rm(path, { force: true });
  try {
    const handle = await open(path, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
    const who = owner === 0 ? 'another process' : `process ${owner}`;
    throw new ApiError('conflict', `${who} is fetching a model: try again when it is done`, {
      next: `If none is, remove ${path}.`,
      cause: error,
    });
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) === 'EPERM';
  }
}

const folderErrors: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota of the disk is used up',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it is on a read-only disk',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
};

function toFolderError(error: unknown, models_dir: string): unknown {
  if (error instanceof ApiError) return error;
  const code = errorCodeOf(error);
  const reason = folderErrors[code];
  if (reason === undefined) return error;
  return new ApiError('unavailable', `nothing can be stored in ${models_dir}: ${reason}`, {
    next: 'Choose another folder with local_models_dir, or make room; then run it again.',
    cause: error,
  });
}

type Connection = {
  fetch: DownloadFetch;
  headers: Record<string, string>;
  close(): Promise<void>;
};

const connectTimeoutMs = 10_000;
/** The longest pause between two pieces of a file. */
const idleTimeoutMs = 60_000;

/** Connections to the hub, through the proxies of the environment. */
function openDownloads(hub_url: string): Connection {
  const timeouts = { headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs };
  const pool = { connect: { timeout: connectTimeoutMs }, ...timeouts };
  const dispatcher = isLoopback(hub_url) ? new Agent(pool) : new EnvHttpProxyAgent(pool);
  const token = environment['HF_TOKEN'];
  return {
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    close: () => dispatcher.destroy(),
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}
