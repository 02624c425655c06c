import type { Memory, PartialMemory } from '../../contract/schemas/memory.ts';
import type { Instant, StoredMemory } from '../ports.ts';

/** A stored memory as every operation answers it. */
export function toMemory(stored: StoredMemory): Memory {
  const { position: _p, role: _r, speaker: _s, said: _said, slot: _slot, ...rest } = stored;
  const { type: _t, occurred_at: _at, occurred_granularity: _g, ...memory } = rest;
  return {
    ...memory,
    session_id: memory.run_id,
    structured_attributes: attributesOf(memory.created_at),
  };
}

/** Only the named fields; `id` always stays. No names means all. */
export function pickFields(memory: Memory, fields: readonly string[] | undefined): PartialMemory {
  if (fields === undefined) return memory;
  const kept = Object.entries(memory).filter(([name]) => fields.includes(name));
  return { ...Object.fromEntries(kept), id: memory.id };
}

const dayMs = 24 * 60 * 60 * 1000;

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
  const thursday = Date.UTC(
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate() + 4 - weekday,
  );
  const yearStart = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return Math.floor((thursday - yearStart) / (7 * dayMs)) + 1;
}
