import { onTestFinished } from 'vitest';
import type { NewMemory, ProjectRef } from '../../src/core/ports/index.ts';
import type { DbContext } from '../../src/storage/sql/db-context.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { openStore, storePath } from '../../src/storage/store.ts';
import { now } from './memory.ts';
import { insert, makeFolder } from './support.ts';

const quiet = { synchronous: 'normal', busy_timeout_ms: 2_000, log: () => {} } as const;

/** A file with these memories, open for reading, and the compiled statements run there, in order. */
export async function makeRecordedFile(
  memories: readonly NewMemory[],
): Promise<{ at: DbContext; project: ProjectRef; statements: string[] }> {
  const data_dir = await makeFolder();
  const store = await openStore({ ...quiet, data_dir });
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await insert(store, project, ...memories);
  await store.close();
  const { reader, dialect, close } = await openSqlite({ ...quiet, path: storePath(data_dir) });
  onTestFinished(close);
  const statements: string[] = [];
  const run: DbContext['run'] = (statement, name) => {
    statements.push(statement.sql);
    return reader.run(statement, name);
  };
  return { at: { ...reader, run, dialect }, project, statements };
}
