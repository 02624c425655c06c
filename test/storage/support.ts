import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EntityIds } from '../../src/contract/schemas/entity.ts';
import type { Filter, FilterComparison } from '../../src/contract/schemas/filter.ts';
import type {
  NewMemory,
  Project,
  Selection,
  Store,
  StoredChange,
  StoredEvent,
} from '../../src/core/ports.ts';
import { openStore, type StoreOptions } from '../../src/storage/store.ts';

export const now = '2026-03-14T09:26:53.000Z';

/** The time `seconds` later. */
export function later(seconds: number): string {
  return new Date(Date.parse(now) + seconds * 1000).toISOString();
}

/** An empty folder that is gone after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-storage-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function open(data_dir: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore({
    data_dir,
    synchronous: 'normal',
    busy_timeout_ms: 2_000,
    log: () => {},
    ...options,
  });
}

/** A new store with two projects, closed after the test. */
export async function makeStore(): Promise<{ store: Store; project: Project; other: Project }> {
  const store = await open(await makeFolder());
  onTestFinished(() => store.close());
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const other = await store.ensureProject({ org_id: 'acme', project_id: 'other' }, now);
  return { store, project, other };
}

export function makeId(): string {
  return randomBytes(16).toString('hex');
}

export const nobody: EntityIds = { user_id: null, agent_id: null, app_id: null, run_id: null };

/** A memory whose index terms are its words. */
export function makeMemory(parts: Partial<NewMemory> = {}): NewMemory {
  const memory = parts.memory ?? 'likes tea';
  return {
    ...nobody,
    user_id: 'ann',
    id: makeId(),
    memory,
    hash: memory,
    metadata: {},
    categories: [],
    immutable: false,
    expiration_date: null,
    created_at: now,
    updated_at: now,
    replaced_by: null,
    role: null,
    speaker: null,
    terms: memory.toLowerCase(),
    speaker_terms: '',
    ...parts,
  };
}

export function makeChange(parts: Partial<StoredChange> = {}): StoredChange {
  return {
    ...nobody,
    id: makeId(),
    memory_id: 'm1',
    event: 'ADD',
    input: [{ role: 'user', content: 'I like tea' }],
    old_memory: null,
    new_memory: 'likes tea',
    metadata: null,
    categories: [],
    created_at: now,
    updated_at: now,
    ...parts,
  };
}

export function makeEvent(parts: Partial<StoredEvent> = {}): StoredEvent {
  return {
    ...nobody,
    id: makeId(),
    event_type: 'ADD',
    status: 'PENDING',
    payload: { messages: ['hello'] },
    metadata: null,
    results: [],
    error: null,
    graph_status: null,
    created_at: now,
    updated_at: now,
    started_at: null,
    completed_at: null,
    latency: null,
    ...parts,
  };
}

export const everything: Filter = { all: [] };

export function select(filter: Filter = everything, parts: Partial<Selection> = {}): Selection {
  return { filter, latest_only: false, not_expired_on: null, ...parts };
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
  project: Project,
  ...memories: NewMemory[]
): Promise<void> {
  await store.transaction((tx) => tx.memories.insert(project, memories));
}

export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
