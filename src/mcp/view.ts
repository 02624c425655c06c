import * as z from 'zod';
import { isObject } from '../contract/object.ts';
import type { Scope } from './options.ts';

export type Item = Readonly<Record<string, unknown>>;

/** How items of one kind are shown: found by the fields that mark them. */
type View = {
  label: string;
  marks: readonly string[];
  /** The field that opens an item; `concise` puts it first too. */
  main: string;
  concise: (item: Item, scope: Scope) => Item;
};

const views: readonly View[] = [
  {
    label: 'Events',
    marks: ['event_type', 'payload'],
    main: 'event_type',
    concise: ({ id, event_type, status, created_at, error, results }) => ({
      event_type,
      id,
      status,
      created_at,
      error,
      results: Array.isArray(results) ? results.map(conciseChange) : results,
    }),
  },
  {
    label: 'History',
    marks: ['old_memory', 'new_memory'],
    main: 'event',
    concise: ({ event, old_memory, new_memory, created_at }) => ({
      event,
      old_memory,
      new_memory,
      date: day(created_at),
    }),
  },
  { label: 'Results', marks: ['event', 'data'], main: 'memory', concise: conciseChange },
  {
    label: 'Entities',
    marks: ['total_memories', 'type'],
    main: 'id',
    concise: ({ id, type, name, total_memories, metadata, created_at }) => ({
      id,
      type,
      total_memories,
      metadata,
      name: name === id ? undefined : name,
      date: day(created_at),
    }),
  },
  {
    label: 'Stored memories',
    marks: ['memory'],
    main: 'memory',
    concise: (item, scope) => ({
      memory: item.memory,
      id: item.id,
      score: rounded(item.score),
      date: day(item.created_at),
      occurred: occurredIn(item),
      // A fact is what nearly every memory is.
      type: item.type === 'fact' ? undefined : item.type,
      categories: item.categories,
      metadata: item.metadata,
      // Whose it is, where the call did not say.
      user_id: scope.user_id === undefined ? item.user_id : undefined,
    }),
  },
];

/** The view of an item; null for an answer that is no item, such as a count. */
export function viewOf(item: Item): View | null {
  return views.find(({ marks }) => marks.every((mark) => mark in item)) ?? null;
}

/** What the items of an answer are called, also when there are none. */
export function labelOf(output: z.ZodObject): string | null {
  const { results } = output.shape;
  const item = results instanceof z.ZodArray ? results.element : null;
  const view = viewOf(output.shape) ?? (item instanceof z.ZodObject ? viewOf(item.shape) : null);
  return view?.label ?? null;
}

/** An item as both channels of a result show it, its main field first. */
export function shown(item: unknown, how: { detailed: boolean; scope: Scope }): Item {
  if (!isObject(item)) return {};
  const view = viewOf(item);
  if (view === null) return item;
  if (how.detailed) return { [view.main]: item[view.main], ...item };
  return withoutEmpty(view.concise(item, how.scope));
}

function conciseChange(change: unknown): Item {
  const { event, id, memory, reason } = isObject(change) ? change : {};
  return withoutEmpty({ memory, event, id, reason });
}

function withoutEmpty(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function day(instant: unknown): unknown {
  return typeof instant === 'string' ? instant.slice(0, 'YYYY-MM-DD'.length) : undefined;
}

/** As much of the time of an event as is known: a minute, a day, a month, a year; in ISO 8601. */
function occurredIn({ occurred_at, occurred_granularity }: Item): unknown {
  if (typeof occurred_at !== 'string') return undefined;
  const known = occurred_at.slice(
    0,
    knownChars[String(occurred_granularity)] ?? 'YYYY-MM-DD'.length,
  );
  const span = occurred_granularity === 'week' || occurred_granularity === 'season';
  return span ? `${known}+${occurred_granularity}` : known;
}

const knownChars: Readonly<Record<string, number>> = {
  minute: 'YYYY-MM-DDTHH:MM'.length,
  month: 'YYYY-MM'.length,
  season: 'YYYY-MM'.length,
  year: 'YYYY'.length,
};

function rounded(score: unknown): unknown {
  return typeof score === 'number' ? Math.round(score * 100) / 100 : undefined;
}
