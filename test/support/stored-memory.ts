import type { StoredMemory } from '../../src/core/ports/index.ts';

/** A memory as the store returns it. */
export function storedMemory(memory: string, more: Partial<StoredMemory> = {}): StoredMemory {
  return {
    position: 1,
    id: '11111111-1111-7111-8111-111111111111',
    memory,
    hash: '',
    user_id: 'alice',
    agent_id: null,
    app_id: null,
    run_id: null,
    metadata: {},
    categories: [],
    immutable: false,
    expiration_date: null,
    created_at: '2026-03-14T09:26:53.000Z',
    updated_at: '2026-03-14T09:26:53.000Z',
    replaced_by: null,
    role: 'user',
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
    ...more,
  };
}
