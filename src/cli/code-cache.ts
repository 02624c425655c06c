import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  promises,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { environment } from '../config/environment.ts';
import { userFolders } from '../config/user-folders.ts';

export type CodeCache = {
  /** Runs a file that holds one ASCII expression; returns its value. */
  run(file: string): unknown;
  /** Stores the code that V8 compiled in this run, where it is new. */
  save(): void;
  /**
   * Reads the files of the program that have not run yet, so that it keeps working when an update
   * removes them.
   */
  preload(program: string): Promise<void>;
};

type CachedCode = { bytes: Buffer; writtenMs: number };
type LoadedScript = { script: Script; path: string; cached: CachedCode | null };

/** Smaller files compile as fast as their cached code loads. */
const sourceCharsMin = 16_384;
/** Maximum number of files of all versions; the oldest are removed. */
const filesMax = 24;
/** Runs in the first day add the functions that they were the first to call. */
const growthPeriodMs = 24 * 3600_000;
/** Code that grew by less is not worth a write. */
const growthFactorMin = 1.05;
/** Room for the checksum; keeps the data of V8 aligned. */
const headerBytes = 8;

/** Private to this user, because code in it is executed; null when the cache is disabled. */
export function codeCacheFolder(): string | null {
  if (environment.NODE_DISABLE_COMPILE_CACHE) return null;
  try {
    return join(userFolders().cache, 'code');
  } catch {
    return null; // Users without a name, as in some containers, have no home folder.
  }
}

/**
 * Reuses the code that V8 compiled in earlier runs. Node's own compile cache needs Node 22 and is
 * in a folder shared by all users. If anything fails, the program runs without a cache.
 */
export function createCodeCache(folder: string | null): CodeCache {
  const ran: LoadedScript[] = [];
  const runFiles = new Set<string>();
  const sources = new Map<string, string>();
  const builtFor = folder === null ? '' : platformHash();

  const run = (file: string): unknown => {
    const source = sources.get(file) ?? readFileSync(file, 'latin1');
    sources.delete(file);
    runFiles.add(file);
    if (folder === null || source.length < sourceCharsMin) {
      return new Script(source, { filename: file }).runInThisContext();
    }
    const path = join(folder, `${basename(file)}.${builtFor}`);
    const code = readCode(path);
    const options = code === null ? {} : { cachedData: code.bytes };
    const script = new Script(source, { filename: file, ...options });
    ran.push({ script, path, cached: script.cachedDataRejected ? null : code });
    return script.runInThisContext();
  };

  const save = (): void => {
    const updates = ran.filter((each) => mayGrow(each) && writeCode(each));
    if (folder !== null && updates.length > 0) removeOldest(folder);
  };
  const preload = async (program: string): Promise<void> => {
    const files = await promises.readdir(program);
    for (const file of files.map((name) => join(program, name))) {
      if (!runFiles.has(file)) sources.set(file, await promises.readFile(file, 'latin1'));
    }
  };
  return { run, save, preload };
}

/** V8 also accepts code of another build of the same version, and then crashes. */
function platformHash(): string {
  const { versions, platform, arch, execPath } = process;
  const build = [versions, platform, arch, execPath, cachedDataVersionTag()];
  return crc32(JSON.stringify(build)).toString(16);
}

function readCode(path: string): CachedCode | null {
  try {
    const file = openSync(path, 'r');
    try {
      const about = fstatSync(file);
      if (!isOwnFile(about)) return null;
      const all = readFileSync(file);
      const bytes = all.subarray(headerBytes);
      // V8 does not detect damaged code, and crashes.
      if (all.readUInt32LE() !== crc32(bytes)) return null;
      return { bytes, writtenMs: about.mtimeMs };
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function isOwnFile({ uid, mode }: Stats): boolean {
  if (!process.getuid) return true; // On Windows other users cannot write to a user's folders.
  return uid === process.getuid() && (mode & 0o022) === 0;
}

/** V8 discards unused functions in a long run, so only a young file is compared again. */
function mayGrow({ cached }: LoadedScript): boolean {
  return cached === null || Date.now() - cached.writtenMs < growthPeriodMs;
}

/** Written in one step, so that another process never reads half a file. */
function writeCode(ran: LoadedScript): boolean {
  const { script, path, cached } = ran;
  const draft = `${path}.${process.pid}`;
  try {
    const bytes = script.createCachedData();
    if (cached !== null && bytes.length < cached.bytes.length * growthFactorMin) return false;
    const head = Buffer.alloc(headerBytes);
    head.writeUInt32LE(crc32(bytes));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, Buffer.concat([head, bytes]), { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
    ran.cached = { bytes, writtenMs: Date.now() };
    return true;
  } catch {
    removeQuietly(draft);
    return false;
  }
}

function removeOldest(folder: string): void {
  try {
    const files = readdirSync(folder).map((name) => {
      const path = join(folder, name);
      return { path, writtenMs: statSync(path).mtimeMs };
    });
    files.sort((a, b) => b.writtenMs - a.writtenMs);
    for (const { path } of files.slice(filesMax)) removeQuietly(path);
  } catch {
    // Another process cleans up at the same time.
  }
}

/** Fails when the path is not a file, or is not writable. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The file stays.
  }
}
