import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../../contract/errors.ts';

export type DownloadFetch = (
  url: string,
  init: {
    method: 'GET' | 'HEAD';
    headers: Record<string, string>;
    redirect: 'follow' | 'manual';
  },
) => Promise<DownloadResponse>;

type DownloadResponse = {
  status: number;
  headers: { get(name: string): string | null };
  body: AsyncIterable<Uint8Array> | null;
};

/** The hub's description of a file, before the download. */
export type HubFile = {
  url: string;
  /** Null if the hub does not say. */
  bytes: number | null;
  /** Changes with the content; null if the hub does not say. */
  etag: string | null;
  /** The SHA-256 that the hub states; null if it states none. */
  sha256: string | null;
};

type Hub = { fetch: DownloadFetch; headers: Record<string, string> };

const redirectsMax = 5;

/** Asks the hub about a file; null if it does not have the file. */
export async function findHubFile(url: string, hub: Hub): Promise<HubFile | null> {
  let address = url;
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const answer = await request(address, { ...hub, method: 'HEAD', redirect: 'manual' });
    const { status, headers } = answer;
    const location = headers.get('location');
    // The hub itself describes the file; the storage that it redirects to does not.
    const isRedirect = status >= 300 && status < 400 && location !== null;
    if (!isRedirect || headers.get('x-linked-etag') !== null) {
      return status === 404 ? null : describeFile(url, answer);
    }
    address = new URL(location, address).href;
  }
  throw new ApiError('unavailable', `${url} redirects too often`);
}

function describeFile(url: string, { status, headers }: DownloadResponse): HubFile {
  if (status >= 400) throw statusError(url, status);
  const size = Number(headers.get('x-linked-size') ?? headers.get('content-length') ?? Number.NaN);
  const tag = headers.get('x-linked-etag') ?? headers.get('etag');
  const etag = tag?.replace(/^W\//, '').replaceAll('"', '') ?? null;
  const sha256 = etag !== null && /^[0-9a-f]{64}$/.test(etag) ? etag : null;
  return { url, bytes: Number.isSafeInteger(size) ? size : null, etag, sha256 };
}

export type DownloadOptions = Hub & {
  /** The path of the downloaded file. */
  path: string;
  /** Throws if these are not the bytes that belong there. */
  check: (sha256: string) => void;
  onProgress: (bytes: number) => void;
};

/**
 * Downloads a file next to its place, checks it, and moves it there: under its name there is never
 * half a file. Continues an interrupted download if the hub still has the same content.
 */
export async function downloadFile(
  file: HubFile,
  { path, check, ...options }: DownloadOptions,
): Promise<{ bytes: number; sha256: string }> {
  const part = await preparePart(file, path);
  await retryInterrupted(() => receive(file, { ...options, part }));
  const { size } = await stat(part);
  const sha256 = await hashFile(part);
  try {
    check(sha256);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await rename(part, path);
  return { bytes: size, sha256 };
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
  }
  return hash.digest('hex');
}

/** The name of a partial file follows from its content, so that two versions are never mixed. */
async function preparePart({ etag }: HubFile, path: string): Promise<string> {
  const tag = createHash('sha256')
    .update(etag ?? '')
    .digest('hex')
    .slice(0, 8);
  const part = `${path}.${tag}.part`;
  await mkdir(dirname(path), { recursive: true });
  const names = await readdir(dirname(path));
  const parts = names.filter((name) => name.startsWith(basename(path)) && name.endsWith('.part'));
  for (const name of parts) {
    const isSame = etag !== null && name === basename(part);
    if (!isSame) await rm(join(dirname(path), name), { force: true });
  }
  return part;
}

const triesMax = 3;
const retryPauseMs = 500;

/** Each attempt continues where the one before it ended. */
async function retryInterrupted(run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unavailable' || tries === triesMax) {
        throw error;
      }
      await sleep(retryPauseMs * tries);
    }
  }
}

type Receiving = Hub & { part: string; onProgress: (bytes: number) => void };

async function receive(file: HubFile, { part, onProgress, ...hub }: Receiving): Promise<void> {
  const present = await sizeOf(part);
  if (file.bytes !== null && present === file.bytes) return onProgress(present);
  const from = file.bytes !== null && present > file.bytes ? 0 : present;
  const range: Record<string, string> = from > 0 ? { Range: `bytes=${from}-` } : {};
  const answer = await request(file.url, {
    fetch: hub.fetch,
    headers: { ...hub.headers, ...range },
    method: 'GET',
    redirect: 'follow',
  });
  if (answer.status >= 400) {
    await rm(part, { force: true }); // the hub refuses the rest of it
    throw statusError(file.url, answer.status);
  }
  const isRest = answer.status === 206;
  let bytes = isRest ? from : 0;
  const handle = await open(part, isRest ? 'a' : 'w');
  try {
    for await (const chunk of bodyOf(answer, file)) {
      await handle.writeFile(chunk);
      bytes += chunk.length;
      onProgress(bytes);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (file.bytes !== null && bytes !== file.bytes) {
    throw interruptedError(file.url, `${bytes} of ${file.bytes} bytes arrived`);
  }
}

/** The body, with errors of the network told from those of the disk. */
async function* bodyOf({ body }: DownloadResponse, { url }: HubFile): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch (error) {
    throw interruptedError(url, causeOf(error), error);
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

type Request = Hub & { method: 'GET' | 'HEAD'; redirect: 'follow' | 'manual' };

async function request(
  url: string,
  { fetch, headers, ...init }: Request,
): Promise<DownloadResponse> {
  try {
    // Compressed, a file would have another size.
    return await fetch(url, { ...init, headers: { ...headers, 'Accept-Encoding': 'identity' } });
  } catch (error) {
    const message = `${url} cannot be downloaded: ${causeOf(error)}`;
    throw new ApiError('unavailable', message, { cause: error });
  }
}

function statusError(url: string, status: number): ApiError {
  if (status === 401 || status === 403) {
    return new ApiError('forbidden', `${url} refuses access (${status}): set HF_TOKEN`);
  }
  const code = status >= 500 || status === 429 || status === 416 ? 'unavailable' : 'conflict';
  return new ApiError(code, `${url} cannot be downloaded: status ${status}`);
}

function interruptedError(url: string, reason: string, cause?: unknown): ApiError {
  return new ApiError('unavailable', `the download of ${url} was interrupted: ${reason}`, {
    next: 'What has arrived is kept: run it again to continue.',
    cause,
  });
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const text = cause instanceof Error ? cause.message || String(cause) : String(cause);
  return (text.split('\n')[0] ?? '').slice(0, 300);
}
