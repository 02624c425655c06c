import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openArchive } from '../../app/archive.ts';
import { createApp } from '../../app.ts';
import { ApiError } from '../../contract/errors.ts';
import { tell } from '../../log.ts';
import { counted, isJson, wordsOf } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { localConfigOf, logOf } from '../configured.ts';
import { entitiesOf } from '../entity-flags.ts';
import { printJson } from '../output.ts';
import { createProgress } from '../progress.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = wordsOf(positionals, 'FILE');
  const ids = entitiesOf({ flags });
  const loaded = await localConfigOf({ flags }, 'export');
  const log = logOf(loaded);
  const app = createApp(loaded.values, { log });
  try {
    const archive = await openArchive(await app.open(), loaded.values, log);
    const counts = new Map<string, number>();
    const lines = Readable.from(written(archive.export(ids), counts));
    if (file === '-') await pipeline(lines, process.stdout, { end: false });
    else await toFile(lines, resolve(file));
    if (isJson(flags) && file !== '-') printJson({ file: resolve(file), ...tallyOf(counts) });
    else tell(`exported ${described(counts)}${file === '-' ? '' : ` to ${resolve(file)}`}`);
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
  const { memories, history, feedback } = tallyOf(counts);
  return [
    counted(memories, 'memory', 'memories'),
    counted(history, 'history entry', 'history entries'),
    counted(feedback, 'rating', 'ratings'),
  ].join(', ');
}

function tallyOf(counts: ReadonlyMap<string, number>) {
  const [memories = 0, history = 0, feedback = 0] = ['memory', 'history', 'feedback'].map((kind) =>
    counts.get(kind),
  );
  return { memories, history, feedback };
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
