import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createApp } from '../../app/create-app.ts';
import { openProjectArchive } from '../../app/project-archive.ts';
import { ApiError } from '../../contract/errors.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command-table.ts';
import { readEntityFlags } from '../command-line/entity-flags.ts';
import {
  formatCount,
  requirePositionals,
  wantsJsonOutput,
} from '../command-line/read-arguments.ts';
import { createCommandLog, loadLocalConfig } from '../context/command-config.ts';
import { printJson } from '../io/output.ts';
import { createProgressReporter } from '../io/progress.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = requirePositionals(positionals, 'FILE');
  const ids = readEntityFlags({ flags });
  const loaded = await loadLocalConfig({ flags }, 'export');
  const log = createCommandLog(loaded);
  const app = createApp(loaded.values, { log });
  try {
    const archive = await openProjectArchive(await app.open(), loaded.values, log);
    const counts = new Map<string, number>();
    const lines = Readable.from(serializeLines(archive.export(ids), counts));
    if (file === '-') await pipeline(lines, process.stdout, { end: false });
    else await writeToFile(lines, resolve(file));
    if (wantsJsonOutput(flags) && file !== '-') {
      printJson({ file: resolve(file), ...tallyOf(counts) });
    } else {
      const place = file === '-' ? '' : ` to ${resolve(file)}`;
      printToStderr(`exported ${describeCounts(counts)}${place}`);
    }
    return 0;
  } finally {
    await app.close();
  }
};

/** Serializes one record per line, and counts each kind. */
async function* serializeLines(
  lines: AsyncIterable<object>,
  counts: Map<string, number>,
): AsyncGenerator<string> {
  const progress = createProgressReporter();
  for await (const line of lines) {
    if ('kind' in line) counts.set(String(line.kind), (counts.get(String(line.kind)) ?? 0) + 1);
    progress(() => `exported ${describeCounts(counts)}`);
    yield `${JSON.stringify(line)}\n`;
  }
}

function describeCounts(counts: ReadonlyMap<string, number>): string {
  const { memories, history, feedback } = tallyOf(counts);
  return [
    formatCount(memories, 'memory', 'memories'),
    formatCount(history, 'history entry', 'history entries'),
    formatCount(feedback, 'rating', 'ratings'),
  ].join(', ');
}

function tallyOf(counts: ReadonlyMap<string, number>) {
  const [memories = 0, history = 0, feedback = 0] = ['memory', 'history', 'feedback'].map((kind) =>
    counts.get(kind),
  );
  return { memories, history, feedback };
}

/** The file gets its name when it is complete; only its owner may read it. */
async function writeToFile(lines: Readable, file: string): Promise<void> {
  if (existsSync(file))
    throw new ApiError('conflict', `${file} already exists; choose another name`);
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
