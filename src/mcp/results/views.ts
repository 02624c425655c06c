import * as z from 'zod';
import { isObject } from '../../contract/is-object.ts';
import { occurredText } from '../../contract/occurred-text.ts';
import type { MemoryScope } from '../../contract/scope/memory-scope.ts';
import { isoDayOf, toWallClock } from '../../contract/wall-clock.ts';
import { describeChanged } from './changed-fields.ts';
import { describeEnd } from './validity.ts';

export type ResultItem = Readonly<Record<string, unknown>>;

/** The ids that a call named, and the zone in which its times are shown. */
export type ShownTo = { scope: MemoryScope; timezone: string };

/** How items of one kind are shown; `marks` are the fields that identify the kind. */
type ItemView = {
  label: string;
  marks: readonly string[];
  /** The field that comes first, also in `concise`. */
  main: string;
  concise: (item: ResultItem, shown: ShownTo) => ResultItem;
};

const views: readonly ItemView[] = [
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
    concise: (item, shown) => {
      const { event, old_memory, new_memory, created_at, updated_at, changed, undo } = item;
      return {
        event,
        by: undo === true ? 'undo' : undefined,
        ...(old_memory === new_memory
          ? { memory: new_memory, changed: describeChanged(changed) || otherFields }
          : { old_memory, new_memory, changed: describeChanged(changed) }),
        // A memory that an undo brings back keeps its age.
        date: dayOf(undo === true ? updated_at : created_at, shown),
      };
    },
  },
  {
    label: 'Changes',
    marks: ['old_memory', 'memory'],
    main: 'memory',
    concise: ({ id, event, old_memory, memory }) => ({
      memory: memory ?? old_memory,
      id,
      event,
      ...earlierText(old_memory, memory),
    }),
  },
  { label: 'Results', marks: ['event', 'data'], main: 'memory', concise: conciseChange },
  {
    label: 'Entities',
    marks: ['total_memories', 'type'],
    main: 'id',
    concise: ({ id, type, name, total_memories, metadata, created_at }, shown) => ({
      id,
      type,
      total_memories,
      metadata,
      name: name === id ? undefined : name,
      date: dayOf(created_at, shown),
    }),
  },
  { label: 'Projects', marks: ['project_id', 'user_role'], main: 'name', concise: concisePlace },
  { label: 'Organizations', marks: ['org_id', 'user_role'], main: 'name', concise: concisePlace },
  {
    label: 'Stored memories',
    marks: ['memory'],
    main: 'memory',
    concise: (item, shown) => ({
      memory: item.memory,
      id: item.id,
      score: roundScore(item.score),
      date: dayOf(item.created_at, shown),
      occurred: eventTime(item, shown),
      validity: describeEnd(item.valid_until),
      // Nearly every memory is a fact.
      type: item.type === 'fact' ? undefined : item.type,
      pinned: item.pinned === true ? true : undefined,
      may_replace: item.may_replace,
      ...reviewOf(item),
      categories: item.categories,
      metadata: item.metadata,
      // The owner, unless the call named it.
      user_id: shown.scope.user_id === undefined ? item.user_id : undefined,
    }),
  },
];

/** The view of an item; null for an answer that is not an item, such as a count. */
export function findView(item: ResultItem): ItemView | null {
  return views.find(({ marks }) => marks.every((mark) => mark in item)) ?? null;
}

/** The label for the items of an output, also when there are none. */
export function itemsLabel(output: z.ZodObject): string | null {
  const { results } = output.shape;
  const item = results instanceof z.ZodArray ? results.element : null;
  const view =
    findView(output.shape) ?? (item instanceof z.ZodObject ? findView(item.shape) : null);
  return view?.label ?? null;
}

/** An item as both channels of a result show it, its main field first. */
export function presentItem(item: unknown, how: ShownTo & { detailed: boolean }): ResultItem {
  if (!isObject(item)) return {};
  const view = findView(item);
  if (view === null) return mainFirst(item);
  if (how.detailed) return { [view.main]: item[view.main], ...item, ...endOf(item) };
  return withoutEmpty(view.concise(item, how));
}

function endOf({ valid_until }: ResultItem): ResultItem {
  return withoutEmpty({ validity: describeEnd(valid_until) });
}

const otherFields = 'not the text, but other fields';

function earlierText(old_memory: unknown, memory: unknown): ResultItem {
  if (old_memory === memory) return { changed: otherFields };
  return memory === null ? {} : { old_memory };
}

/** Puts the name that people know a thing by first. */
function mainFirst(item: ResultItem): ResultItem {
  const main = ['memory', 'query', 'email', 'name'].find((name) => !isEmpty(item[name]));
  return main === undefined ? item : { [main]: item[main], ...item };
}

/** An organization or project without its settings and members, which are read one by one. */
function concisePlace(place: ResultItem, shown: ShownTo): ResultItem {
  const { name, project_id, org_id, description, is_default, user_role, created_at } = place;
  return {
    name,
    project_id,
    org_id,
    description,
    is_default: is_default === true ? true : undefined,
    user_role,
    date: dayOf(created_at, shown),
  };
}

/** Nearly every memory is active; of one that waits, a reviewer needs to know why. */
function reviewOf({ status, source_class, review_reason, supersedes }: ResultItem): ResultItem {
  if (status === undefined || status === 'active') return {};
  return { status, source_class, review_reason, supersedes };
}

function conciseChange(change: unknown): ResultItem {
  const { event, id, memory, reason, similar } = isObject(change) ? change : {};
  const alike = Array.isArray(similar) ? similar.filter(isObject) : [];
  return withoutEmpty({
    memory: beginningOf(memory),
    event,
    id,
    reason,
    similar: alike.map((one) => ({ ...one, memory: beginningOf(one.memory) })),
  });
}

/** An add does not repeat long texts: one is the caller's own, and the others have ids. */
function beginningOf(text: unknown): unknown {
  if (typeof text !== 'string' || text.length <= longestEcho) return text;
  return `${text.slice(0, longestEcho).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const longestEcho = 300;

function withoutEmpty(item: ResultItem): ResultItem {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Servers other than mneme may write times in other ways. */
function dayOf(instant: unknown, { timezone }: ShownTo): unknown {
  if (typeof instant !== 'string') return undefined;
  return isoDayOf(wallClock(instant, timezone));
}

function wallClock(instant: string, timezone: string): string {
  const ms = instant.includes('T') ? Date.parse(instant) : Number.NaN;
  return Number.isNaN(ms) ? instant : toWallClock(new Date(ms).toISOString(), timezone);
}

function eventTime(
  { occurred_at, occurred_granularity }: ResultItem,
  { timezone }: ShownTo,
): unknown {
  if (typeof occurred_at !== 'string') return undefined;
  const exact = typeof occurred_granularity === 'string' ? occurred_granularity : null;
  return occurredText(occurred_at, exact, timezone);
}

function roundScore(score: unknown): unknown {
  return typeof score === 'number' ? Math.round(score * 100) / 100 : undefined;
}
