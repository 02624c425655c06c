import { existsSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openProjectArchive } from '../../app/store/project-archive.ts';
import { ApiError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import { escapeHidden } from '../../contract/schemas/text.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command.ts';
import { readEntityFlags } from '../command-line/entity-flags.ts';
import { requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { readClocks } from '../command-line/read-clocks.ts';
import { loadLocalConfig } from '../context/command-config.ts';
import { requireOpenScope } from '../context/open-scope.ts';
import { withApp } from '../context/with-app.ts';
import { printJson } from '../io/output.ts';
import { createProgressReporter } from '../io/progress.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = requirePositionals(positionals, 'FILE');
  const ids = readEntityFlags({ flags });
  const loaded = await loadLocalConfig({ flags }, 'export');
  requireOpenScope(loaded.values);
  return withApp(loaded, async (app, log) => {
    const archive = await openProjectArchive(await app.open(), loaded.values, log);
    const records = await archive.export(ids, readClocks(flags));
    const counts = new Map<string, number>();
    const lines = Readable.from(serializeLines(records, counts));
    if (file === '-') {
      if (!(await writeToStdout(lines))) return 0;
    } else await writeToFile(lines, resolve(file));
    if (wantsJsonOutput(flags) && file !== '-') {
      printJson({ file: resolve(file), ...tallyOf(counts) });
    } else {
      const destination = file === '-' ? '' : ` to ${resolve(file)}`;
      printToStderr(`exported ${describeCounts(counts)}${destination}`);
    }
    return 0;
  });
};

/** False if the reader stopped early (`mneme export - | head`), which is not an error. */
async function writeToStdout(lines: Readable): Promise<boolean> {
  try {
    await pipeline(lines, process.stdout, { end: false });
    return true;
  } catch (error) {
    if (isFileError(error) && error.code === 'EPIPE') return false;
    throw error;
  }
}

/** Serializes one record per line, and counts each kind. */
async function* serializeLines(
  lines: AsyncIterable<object>,
  counts: Map<string, number>,
): AsyncGenerator<string> {
  const progress = createProgressReporter();
  for await (const line of lines) {
    if ('kind' in line) counts.set(String(line.kind), (counts.get(String(line.kind)) ?? 0) + 1);
    progress(() => `exported ${describeCounts(counts)}`);
    yield `${escapeHidden(JSON.stringify(line))}\n`;
  }
}

function describeCounts(counts: ReadonlyMap<string, number>): string {
  const { memories, versions, history, feedback } = tallyOf(counts);
  return [
    formatCount(memories, 'memory', 'memories'),
    formatCount(versions, 'earlier version', 'earlier versions'),
    formatCount(history, 'history entry', 'history entries'),
    formatCount(feedback, 'rating', 'ratings'),
  ].join(', ');
}

function tallyOf(counts: ReadonlyMap<string, number>) {
  const countOf = (kind: string) => counts.get(kind) ?? 0;
  return {
    memories: countOf('memory'),
    versions: countOf('version'),
    history: countOf('history'),
    feedback: countOf('feedback'),
  };
}

/**
 * The file gets its name when it is complete; only its owner may read it. Neither name may be taken
 * before, not even by a link.
 */
async function writeToFile(lines: Readable, file: string): Promise<void> {
  const partial = `${file}.partial`;
  if (existsSync(file)) throw takenError(file);
  const output = await openNew(partial, file);
  try {
    await pipeline(lines, output.createWriteStream());
    const handle = await openNew(file, file);
    await handle.close();
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw isFileError(error) ? writeError(file, error) : error;
  }
}

/** Fails where something has the name already. */
async function openNew(path: string, file: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw error.code === 'EEXIST' ? takenError(path) : writeError(file, error);
  }
}

function takenError(path: string): ApiError {
  const next = path.endsWith('.partial')
    ? 'Another export is writing it, or one was stopped: then remove it.'
    : undefined;
  const problem = `${path} already exists; choose another name`;
  return new ApiError('conflict', problem, next === undefined ? {} : { next });
}

function writeError(file: string, error: NodeJS.ErrnoException): ApiError {
  const problem = `${file} cannot be written (${error.code}); choose another folder`;
  return new ApiError(isNoFolder(error) ? 'invalid' : 'unavailable', problem, { cause: error });
}

/** The name is wrong, not the disk. */
function isNoFolder({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code);
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && !(error instanceof ApiError) && 'syscall' in error;
}
