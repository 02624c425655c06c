import type { Memory, PartialMemory } from '../../contract/schemas/memory.ts';
import { dayMs } from '../../contract/wall-clock.ts';
import type { Instant, StoredMemory } from '../ports/index.ts';

/**
 * A stored memory in the form that operations return. Fields are listed one by one, because a
 * spread without some fields is several times slower on large pages. `may_replace` is what the
 * memory may still replace.
 */
export function toMemory(stored: StoredMemory, may_replace: readonly string[] = []): Memory {
  const memory: Memory = {
    id: stored.id,
    user_id: stored.user_id,
    agent_id: stored.agent_id,
    app_id: stored.app_id,
    run_id: stored.run_id,
    memory: stored.memory,
    hash: stored.hash,
    metadata: stored.metadata,
    categories: stored.categories,
    immutable: stored.immutable,
    pinned: stored.pinned,
    expiration_date: stored.expiration_date,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
    replaced_by: stored.replaced_by,
    type: stored.type,
    slot: stored.slot,
    occurred_at: stored.occurred_at,
    occurred_granularity: stored.occurred_granularity,
    valid_from: stored.valid_from,
    valid_until: stored.valid_until,
    session_id: stored.run_id,
    status: stored.status,
    source_class: stored.source_class,
    structured_attributes: attributesOf(stored.created_at),
  };
  if (may_replace.length > 0) memory.may_replace = [...may_replace];
  return memory;
}

/** Only these fields and `id`; undefined means all. */
export function pickFields(memory: Memory, fields: readonly string[] | undefined): PartialMemory {
  if (fields === undefined) return memory;
  const picked = Object.entries(memory).filter(([name]) => fields.includes(name));
  return { ...Object.fromEntries(picked), id: memory.id };
}

function attributesOf(instant: Instant): Memory['structured_attributes'] {
  const date = new Date(instant);
  const weekday = date.getUTCDay();
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    day_of_week: weekdays[weekday] ?? '',
    is_weekend: weekday === 0 || weekday === 6,
    quarter: Math.floor(date.getUTCMonth() / 3) + 1,
    week_of_year: isoWeek(date),
  };
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** ISO 8601: a week belongs to the year of its Thursday. */
function isoWeek(date: Date): number {
  const weekday = date.getUTCDay() || 7;
  const thursday = new Date(date.getTime() + (4 - weekday) * dayMs);
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.floor((thursday.getTime() - yearStart) / (7 * dayMs)) + 1;
}
