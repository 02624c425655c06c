import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { environment } from '../config/environment.ts';
import { userFolders } from '../config/folders.ts';

export type CodeCache = {
  /** Runs a file that holds one expression in ASCII; answers its value. */
  run(file: string): unknown;
  /** Stores what V8 compiled for the files that ran, where it is news. */
  keep(): void;
};

type Cached = { code: Buffer; writtenMs: number };
type Ran = { script: Script; path: string; cached: Cached | null };

/** Files of a code cache; with each one more, the oldest goes. */
const filesMax = 24;
/** Sessions of the first day add the functions that they were the first to call. */
const growsForMs = 24 * 3600_000;
/** Code that grew by less is not worth a write. */
const growthMin = 1.05;
/** The checksum, and as much as keeps V8's data aligned. */
const headBytes = 8;

/** The user's own folder: cached code is code, so nobody else may be able to write it. */
export function codeCacheFolder(): string | null {
  if (environment.NODE_DISABLE_COMPILE_CACHE) return null;
  try {
    return join(userFolders().cache, 'code');
  } catch {
    return null; // user ids without a name, as in some containers, have no home
  }
}

/**
 * Node's own compile cache does this for modules, but not before Node 22, and in a folder that all
 * users share. Whatever goes wrong here, the program runs as if there were no cache.
 */
export function createCodeCache(folder: string | null): CodeCache {
  const ran: Ran[] = [];
  const builtFor = folder === null ? '' : platformHash();

  const run = (file: string): unknown => {
    const source = readFileSync(file, 'latin1');
    if (folder === null) return new Script(source, { filename: file }).runInThisContext();
    const path = join(folder, `${basename(file)}.${builtFor}`);
    const cached = readCode(path);
    const options = cached === null ? {} : { cachedData: cached.code };
    const script = new Script(source, { filename: file, ...options });
    ran.push({ script, path, cached: script.cachedDataRejected ? null : cached });
    return script.runInThisContext();
  };

  const keep = (): void => {
    const written = ran.filter((entry) => mayGrow(entry) && writeCode(entry));
    if (written.length > 0 && folder !== null) removeOldest(folder);
  };
  return { run, keep };
}

/** V8 accepts code of another build of the same version, and may crash when it runs. */
function platformHash(): string {
  const { versions, platform, arch, execPath } = process;
  const build = JSON.stringify([versions, platform, arch, execPath, cachedDataVersionTag()]);
  return crc32(build).toString(16);
}

/** V8 does not notice damage, and crashes. */
function readCode(path: string): Cached | null {
  try {
    const file = openSync(path, 'r');
    try {
      const about = fstatSync(file);
      if (!isOwn(about)) return null;
      const bytes = readFileSync(file);
      const code = bytes.subarray(headBytes);
      if (bytes.readUInt32LE() !== crc32(code)) return null;
      return { code, writtenMs: about.mtimeMs };
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function isOwn({ uid, mode }: Stats): boolean {
  if (!process.getuid) return true; // Windows: folders of a user are closed to others
  return uid === process.getuid() && (mode & 0o022) === 0;
}

function mayGrow({ cached }: Ran): boolean {
  return cached === null || Date.now() - cached.writtenMs < growsForMs;
}

/** In one step, so that another process never reads half of it. */
function writeCode(ran: Ran): boolean {
  const { script, path, cached } = ran;
  const draft = `${path}.${process.pid}`;
  try {
    const code = script.createCachedData();
    if (cached !== null && code.length < cached.code.length * growthMin) return false;
    const head = Buffer.alloc(headBytes);
    head.writeUInt32LE(crc32(code));
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(draft, Buffer.concat([head, code]), { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
    ran.cached = { code, writtenMs: Date.now() };
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}

function removeOldest(folder: string): void {
  const age = (path: string) => statSync(path).mtimeMs;
  try {
    const files = readdirSync(folder).map((name) => join(folder, name));
    const newestFirst = files.sort((a, b) => age(b) - age(a));
    for (const file of newestFirst.slice(filesMax)) rmSync(file, { force: true });
  } catch {
    // another process tidies up at the same time
  }
}
