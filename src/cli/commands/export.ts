import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createApp } from '../../app/create-app.ts';
import { openProjectArchive } from '../../app/project-archive.ts';
import { ApiError } from '../../contract/errors.ts';
import { printToStderr } from '../../log.ts';
import { counted, wordsOf } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { localConfigOf, logOf } from '../configured.ts';
import { entitiesOf } from '../entity-flags.ts';
import { createProgress } from '../progress.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = wordsOf(positionals, 'FILE');
  const ids = entitiesOf({ flags });
  const loaded = await localConfigOf({ flags }, 'export');
  const log = logOf(loaded);
  const app = createApp(loaded.values, { log });
  try {
    const archive = await openProjectArchive(await app.open(), loaded.values, log);
    const counts = new Map<string, number>();
    const lines = Readable.from(written(archive.export(ids), counts));
    if (file === '-') await pipeline(lines, process.stdout, { end: false });
    else await toFile(lines, resolve(file));
    printToStderr(`exported ${described(counts)}${file === '-' ? '' : ` to ${resolve(file)}`}`);
    return 0;
  } finally {
    await app.close();
  }
};

/** One line each; how many there are of each kind is counted on the way. */
async function* written(
  lines: AsyncIterable<object>,
  counts: Map<string, number>,
): AsyncGenerator<string> {
  const progress = createProgress();
  for await (const line of lines) {
    if ('kind' in line) counts.set(String(line.kind), (counts.get(String(line.kind)) ?? 0) + 1);
    progress(() => `exported ${described(counts)}`);
    yield `${JSON.stringify(line)}\n`;
  }
}

function described(counts: ReadonlyMap<string, number>): string {
  return [
    counted(counts.get('memory') ?? 0, 'memory', 'memories'),
    counted(counts.get('history') ?? 0, 'history entry', 'history entries'),
    counted(counts.get('feedback') ?? 0, 'rating', 'ratings'),
  ].join(', ');
}

/** The file has its name once it is complete; nobody else may read it. */
async function toFile(lines: Readable, file: string): Promise<void> {
  if (existsSync(file)) throw new ApiError('conflict', `${file} exists; choose another name`);
  const partial = `${file}.partial`;
  try {
    await pipeline(lines, createWriteStream(partial, { mode: 0o600 }));
    renameSync(partial, file);
  } catch (error) {
    if (existsSync(partial)) rmSync(partial);
    if (!isFileError(error)) throw error;
    const problem = `${file} cannot be written (${error.code}); choose another folder`;
    throw new ApiError('unavailable', problem, { cause: error });
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && !(error instanceof ApiError) && 'syscall' in error;
}
