import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { SqliteDatabase } from './driver.ts';

export type Checkpoints = {
  /** Carries out the commit of a long transaction, and has a thread copy the log afterwards. */
  commit(run: () => void): void;
  /** Resolves once no thread uses the file. */
  ended(): Promise<void>;
};

type CheckpointOptions = { sqlite: SqliteDatabase; path: string; module: string };

/**
 * SQLite copies the log into the file within the commit after which it has a thousand pages. Those
 * of a long transaction may take seconds: a thread copies them, beside all who read and write.
 */
export function createCheckpoints({ sqlite, path, module }: CheckpointOptions): Checkpoints {
  const file = { location: `${pathToFileURL(path).href}?mode=rw`, module };
  let last = Promise.resolve();
  let waiting = 0;
  const copy = async () => {
    await copyInThread(file);
    waiting -= 1;
    if (waiting === 0) copyWithinCommits(sqlite);
  };
  return {
    commit: (run) => {
      sqlite.exec('pragma wal_autocheckpoint = 0');
      waiting += 1;
      try {
        run();
      } finally {
        last = last.then(copy);
      }
    },
    ended: () => last,
  };
}

function copyWithinCommits(sqlite: SqliteDatabase): void {
  try {
    sqlite.exec('pragma wal_autocheckpoint = 1000'); // SQLite's default
  } catch {
    // It was closed because the store could not be opened.
  }
}

type LoggedFile = { location: string; module: string };

/** Resolves in any case: what no thread has copied, the next commit copies. */
function copyInThread(file: LoggedFile): Promise<void> {
  return new Promise((resolve) => {
    try {
      // Source text instead of a file, because the program is bundled into one file.
      const text = `(${copyLog})(require, ${JSON.stringify(file)})`;
      const worker = new Worker(text, { eval: true, env: {}, execArgv: [] });
      worker.on('error', () => {}).on('exit', () => resolve());
    } catch {
      resolve();
    }
  });
}

/** The main function of the thread, run from its source text, so it uses only its arguments. */
function copyLog(load: NodeJS.Require, { location, module }: LoggedFile): void {
  process.emitWarning = () => {}; // Node's SQLite is experimental, which users cannot act on
  const { DatabaseSync } = load(module) as typeof import('@photostructure/sqlite');
  const sqlite = new DatabaseSync(location);
  // Passive: it waits for nobody, and nobody for it.
  sqlite.exec('pragma wal_checkpoint(passive)');
  sqlite.close();
}
