import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Filter, FilterComparison } from '../../src/contract/schemas/filter.ts';
import type { NewMemory, ProjectRef, Selection, Store } from '../../src/core/ports/index.ts';
import { openStore, type StoreOptions } from '../../src/storage/store.ts';
import { databaseOf, dropDatabase } from '../support/database.ts';
import { now } from './memory.ts';

/** An empty folder that is gone after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-storage-'));
  onTestFinished(async () => {
    await dropDatabase(folder);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

export async function open(data_dir: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore({
    ...(await databaseOf(data_dir)),
    data_dir,
    synchronous: 'normal',
    busy_timeout_ms: 2_000,
    log: () => {},
    ...options,
  });
}

/** A new store with two projects, closed after the test. */
export async function makeStore(): Promise<{
  store: Store;
  project: ProjectRef;
  other: ProjectRef;
}> {
  const store = await open(await makeFolder());
  onTestFinished(() => store.close());
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const other = await store.ensureProject({ org_id: 'acme', project_id: 'other' }, now);
  return { store, project, other };
}

export const everything: Filter = { all: [] };

export function select(filter: Filter = everything, parts: Partial<Selection> = {}): Selection {
  return { filter, latest_only: false, not_expired_on: null, status: 'any', ...parts };
}

export function ofUser(user_id: string): Filter {
  return compare('user_id', 'eq', user_id);
}

export function compare(
  field: FilterComparison['field'],
  operator: FilterComparison['operator'],
  value: FilterComparison['value'],
): FilterComparison {
  return { field, path: [], operator, value };
}

export const firstPage = { page: 1, page_size: 100 };

export async function insert(
  store: Store,
  project: ProjectRef,
  ...memories: NewMemory[]
): Promise<void> {
  await store.transaction((tx) => tx.memories.insert(project, memories));
}

export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
