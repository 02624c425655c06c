import {
  constants,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { currentHome } from '../../config/user-folders.ts';
import { ApiError, errorCodeOf } from '../../contract/errors.ts';
import { type ConfigText, isMissing, readClientConfig } from './read-config.ts';

/** Keeps the newest backups, and the first one, which mneme has not touched. */
const backupsMax = 5;

/** A lock older than any write was left by a process that died. */
const lockAgeMaxMs = 60_000;

/** A new file is private, because clients keep keys in it. */
const newFileMode = 0o600;

/**
 * Replaces a file in one step, after copying it, and returns the copy. Throws `conflict` when the
 * file has changed since it was read, `unavailable` when it cannot be written.
 */
export async function writeConfig(
  config: ConfigText,
  text: string,
  { now }: { now: Date },
): Promise<{ backup: string | null }> {
  const { file } = config;
  try {
    if (config.bytes === null) await mkdir(dirname(file), { recursive: true });
    return await withDraftLock(file, async (draft) => {
      await checkUnchanged(config);
      const backup = config.bytes === null ? null : await createBackup(file, now);
      await draft(config.mark + text, config.mode ?? newFileMode);
      return { backup };
    });
  } catch (error) {
    throw toWriteError(error);
  }
}

/** Restores the file before the first change: the bytes of a backup, or no file at all. */
export async function restoreConfig(
  config: ConfigText,
  bytes: Buffer | null,
  backups: readonly string[],
): Promise<void> {
  const { file } = config;
  try {
    await withDraftLock(file, async (draft) => {
      await checkUnchanged(config);
      if (bytes === null) await rm(file);
      else await draft(bytes, config.mode ?? newFileMode);
      for (const backup of backups) await rm(backup, { force: true });
    });
    if (bytes === null) await removeEmptyFolders(dirname(file));
  } catch (error) {
    throw toWriteError(error);
  }
}

/** The folders that were made for a file, but neither the home folder nor the working folder. */
async function removeEmptyFolders(folder: string): Promise<void> {
  const folders = [currentHome(), process.cwd()];
  const holdsKept = folders.some((one) => one === folder || one.startsWith(`${folder}${sep}`));
  if (holdsKept || dirname(folder) === folder) return;
  const isGone = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (isGone) await removeEmptyFolders(dirname(folder));
}

/** The backups of a file, newest first. */
export async function listBackups(file: string): Promise<string[]> {
  const start = `${basename(file)}${backupMark}`;
  const names = await readdir(dirname(file)).catch(() => []);
  const backups = names.filter((name) => name.startsWith(start)).sort(compareBackupNames);
  return backups.reverse().map((name) => join(dirname(file), name));
}

const backupMark = '.mneme-backup-';

/** `...-20250102T030405Z`, and `...-20250102T030405Z-2` within the same second. */
function compareBackupNames(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

type WriteDraft = (content: string | Buffer, mode: number) => Promise<void>;

/** The draft file is also the lock: a second process has to try again later. */
async function withDraftLock<T>(file: string, run: (draft: WriteDraft) => Promise<T>): Promise<T> {
  const path = join(dirname(file), `.${basename(file)}.mneme-draft`);
  const handle = await openDraft(path);
  let isDraft = true;
  try {
    return await run(async (content, mode) => {
      await handle.writeFile(content);
      await handle.chmod(mode);
      await handle.sync();
      await handle.close();
      await rename(path, file);
      isDraft = false;
    });
  } finally {
    await handle.close().catch(() => {}); // Already closed, unless something failed.
    if (isDraft) await rm(path, { force: true });
  }
}

async function openDraft(path: string) {
  const age = await stat(path).catch(() => null);
  if (age !== null && Date.now() - age.mtimeMs > lockAgeMaxMs) await rm(path, { force: true });
  try {
    return await open(path, 'wx', newFileMode);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
    const what = 'another mneme process is writing it; try again in a minute';
    throw new ApiError('conflict', what, { cause: error });
  }
}

async function checkUnchanged({ file, bytes }: ConfigText): Promise<void> {
  const now = await readClientConfig(file);
  const isSame =
    bytes === null || now.bytes === null ? bytes === now.bytes : bytes.equals(now.bytes);
  if (!isSame) throw new ApiError('conflict', 'it was changed in the meantime; try again');
}

async function createBackup(file: string, now: Date): Promise<string> {
  for (;;) {
    const backup = `${file}${backupMark}${nextBackupName(await listBackups(file), now)}`;
    try {
      await copyFile(file, backup, constants.COPYFILE_EXCL);
      await pruneBackups(file);
      return backup;
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** Sorts after all existing names, even when the clock went back or stood still. */
function nextBackupName([newest = '']: readonly string[], now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const [, last = '', count = '1'] = /(\d+T\d+Z)(?:-(\d+))?$/.exec(newest) ?? [];
  return last < stamp ? stamp : `${last}-${Number(count) + 1}`;
}

async function pruneBackups(file: string): Promise<void> {
  const backups = await listBackups(file);
  for (const old of backups.slice(backupsMax - 1, -1)) await rm(old, { force: true });
}

const writeErrorReasons: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there, or a program has it open',
  EROFS: 'it is on a read-only disk',
  ENOSPC: 'the disk is full',
  EBUSY: 'a program has it open',
  ENOTDIR: 'a part of its path is a file',
};

function toWriteError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const code = errorCodeOf(error);
  if (code === '' || isMissing(error)) return error;
  const reason = writeErrorReasons[code] ?? `it cannot be written (${code})`;
  return new ApiError('unavailable', reason, { cause: error });
}
