import { randomBytes } from 'node:crypto';
import type { EntityIds } from '../../src/contract/schemas/entity.ts';
import type { NewMemory, StoredEvent, StoredHistoryEntry } from '../../src/core/ports/index.ts';

export const now = '2026-03-14T09:26:53.000Z';

/** The time `seconds` later. */
export function later(seconds: number): string {
  return new Date(Date.parse(now) + seconds * 1000).toISOString();
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
    type: null,
    slot: null,
    occurred_at: null,
    occurred_granularity: null,
    said: null,
    status: 'active',
    source_class: 'user',
    review_reason: null,
    supersedes: null,
    may_replace: [],
    pinned: false,
    valid_from: null,
    valid_until: null,
    terms: memory.toLowerCase(),
    speaker_terms: '',
    ...parts,
  };
}

export function makeChange(parts: Partial<StoredHistoryEntry> = {}): StoredHistoryEntry {
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
    key_id: null,
    ...parts,
  };
}
