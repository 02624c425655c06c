import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/options.ts';
import { reasonOf } from '../../contract/errors.ts';
import { type SqliteFileReport, sqliteVersion } from '../../storage/sqlite/inspect.ts';
import {
  checkIntegrity,
  findUnfinishedTransfer,
  inspectStore,
  processesUsingRemovedStore,
  storePath,
} from '../../storage/store.ts';
import { type Check, failed, ok, warning } from './check.ts';
import { checkPermissions } from './permission-check.ts';
import { checkVersions, prunedBefore } from './version-check.ts';

/** Checks the runtime that the program needs. Changes nothing. */
export async function checkMachine(): Promise<Check[]> {
  return [checkNode(process.versions.node), await checkSqliteVersion()];
}

type CheckedData = Pick<Config, 'data_dir' | 'history_days'>;

/** Checks the configured data folder and its store. Changes nothing. */
export async function checkData(values: CheckedData): Promise<Check[]> {
  const { data_dir } = values;
  const folder = checkFolder(data_dir);
  const store = folder.status === 'ok' ? await checkStore(values) : [];
  const moves = folder.status === 'ok' ? checkMove(data_dir) : [];
  return [
    folder,
    ...(folder.status === 'ok' ? checkPermissions({ data_dir }) : []),
    checkSpace(data_dir),
    ...store,
    ...moves,
    ...checkRemovedStore(data_dir),
  ];
}

/** A partial copy does not record its source: only the person who started the move knows it. */
export const resumeAdvice =
  'Resume from the same source: mneme migrate --from sqlite:FILE (or postgres://...) --resume.';

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const name = 'Node.js';
  if (major > 20 || (major === 20 && minor >= 19)) return ok(name, version);
  return failed(name, version, 'Install Node.js 22 or later (20.19 is the oldest that works).');
}

async function checkSqliteVersion(): Promise<Check> {
  const name = 'SQLite';
  try {
    return ok(name, `${await sqliteVersion()}, with full text search`);
  } catch (error) {
    const advice = 'Use Node.js 22.16 or later, or install with optional dependencies.';
    return failed(name, reasonOf(error), advice);
  }
}

function checkFolder(data_dir: string): Check {
  const name = 'Data folder';
  const folder = nearestExistingFolder(data_dir);
  const missing = folder !== data_dir;
  if (!isWritableFolder(folder)) {
    const finding = missing
      ? `${data_dir} does not exist and cannot be created in ${folder}`
      : `${data_dir} is not writable`;
    const advice = 'Make the folder writable, or choose another with --data-dir or MNEME_DATA_DIR.';
    return failed(name, finding, advice);
  }
  return ok(name, missing ? `${data_dir} will be created` : data_dir);
}

function isWritableFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function checkSpace(data_dir: string): Check {
  const name = 'Free space';
  const { bavail, bsize } = statfsSync(nearestExistingFolder(data_dir));
  const free = bavail * bsize;
  const finding = megabytes(free);
  const advice = 'Free some space, or choose a data folder on another disk.';
  if (free < freeSpaceMinBytes) return failed(name, finding, advice);
  if (free < freeSpaceLowBytes) return warning(name, finding, advice);
  return ok(name, finding);
}

/** Below the minimum a write may fail at any time; below the low mark it may fail soon. */
const freeSpaceMinBytes = 16 * 1024 * 1024;
const freeSpaceLowBytes = 256 * 1024 * 1024;

/** A server keeps using the file that it opened, even after that file was moved or replaced. */
function checkRemovedStore(data_dir: string): Check[] {
  const pids = processesUsingRemovedStore({ data_dir });
  if (pids.length === 0) return [];
  const who = pids.length === 1 ? `process ${pids[0]} uses` : `processes ${pids.join(', ')} use`;
  const finding = `${who} a store that was removed or replaced in ${data_dir}`;
  return [
    failed(
      'Removed store',
      finding,
      'Restart it: until then it reads the old file and refuses writes.',
    ),
  ];
}

/** A partial copy has another file name until it is complete, so servers do not see it. */
function checkMove(data_dir: string): Check[] {
  const name = 'Move';
  const move = findUnfinishedTransfer({ data_dir });
  if (move === null) return [];
  const { path, isTaken, pids } = move;
  if (pids.length > 0) {
    const finding = `process ${pids.join(', ')} is moving a store into ${path}`;
    return [warning(name, finding, 'Wait until it has finished before you start a server here.')];
  }
  const finding = `an interrupted \`mneme migrate\` left a partial copy at ${path}`;
  // Some platforms cannot list the processes that have a file open, and no platform can list those
  // of another machine.
  const idle = 'If no mneme migrate is running:';
  const resume = `${idle} ${resumeAdvice} Or start over: remove that file.`;
  if (!isTaken) return [failed(name, finding, resume)];
  const choices = 'remove that file; or, to resume, first move the existing store away.';
  const advice = `${idle} ${choices}`;
  return [warning(name, `${finding}, next to a complete store`, advice)];
}

async function checkStore({ data_dir, history_days }: CheckedData): Promise<Check[]> {
  const name = 'Store';
  const path = storePath(data_dir);
  const advice = 'Nothing was changed. Do what the message says, and keep a copy of the file.';
  try {
    const versions_before = prunedBefore({ history_days });
    const report = await inspectStore({ data_dir, versions_before });
    if (report === null) return [ok(name, `${path} will be created`)];
    const { schema, memories, keys, bytes, lock, models } = report;
    const finding = `${path}: memories ${memories}, size ${megabytes(bytes)}, schema ${schema}`;
    const content = await checkStoreIntegrity(data_dir);
    const embeddings = models.map((model) => ok('Embeddings', describeModel(model, memories)));
    return [
      ok(name, finding),
      checkLock(lock),
      content,
      ok('API keys', describeKeys(keys)),
      ...checkVersions(report.versions, { history_days }),
      ...embeddings,
    ];
  } catch (error) {
    return [failed(name, reasonOf(error), advice)];
  }
}

function describeModel(
  { name, dimension, pending }: SqliteFileReport['models'][number],
  total: number,
) {
  return `${name}, ${dimension} dimensions: ${total - pending} of ${total} memories`;
}

/** MCP over standard input and output needs no key. */
function describeKeys(keys: number): string {
  return keys === 0 ? 'none yet; mneme serve creates one at its first start' : `${keys} in use`;
}

function checkLock(lock: 'unused' | 'free' | 'taken'): Check {
  const name = 'Lock';
  if (lock !== 'taken') {
    return ok(name, lock === 'free' ? 'free' : 'free; no process has the store open');
  }
  const finding = 'another process has held the write lock for several seconds';
  return failed(name, finding, 'Wait, or stop the process that holds the lock.');
}

async function checkStoreIntegrity(data_dir: string): Promise<Check> {
  const name = 'Integrity';
  const problems = await checkIntegrity({ data_dir });
  if (problems.length === 0) return ok(name, 'no damage found');
  const advice = 'Stop all servers on this store, then restore the file from a backup.';
  return failed(name, problems.join('; '), advice);
}

/** The folder itself, or the closest one above it that exists. */
function nearestExistingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder
    ? folder
    : nearestExistingFolder(dirname(folder));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}
