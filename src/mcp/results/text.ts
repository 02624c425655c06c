import { isObject } from '../../contract/is-object.ts';
import { lineEnds } from '../../contract/schemas/text.ts';
import { shortIdOf, withShortIds } from '../../contract/short-id.ts';

/** Marks continuation lines of a stored text, so that none can pass for a line of ours. */
const continuationMark = '\n   | ';

/** Marks the continuation lines of a stored text, so that it cannot break out of its frame. */
export function markContinuationLines(text: string): string {
  return text.split(lineEnds).join(continuationMark);
}

/**
 * An item as text: its main field first, the rest below. Values that could hold a separator get a
 * line each; ids, dates and numbers share one.
 */
export function formatItem(item: Item, index: number): string {
  const isHit = 'score' in item && 'date' in item;
  const view = withIdsShortened(isHit ? briefHit(item) : briefChange(item));
  const [[, main] = ['', ''], ...rest] = Object.entries(view).filter(
    ([, value]) => !isEmpty(value),
  );
  const plain = isHit ? knownByLooks : [];
  return `${index}. ${formatItemValue(main)}${formatFieldLines(rest.map(briefConflict), plain)}`;
}

/** Fields on lines of their own, each after a line end; empty ones are left out. */
export function formatFieldLines(
  fields: readonly (readonly [string, unknown])[],
  plain: readonly string[] = [],
): string {
  const facts = fields.filter(([, value]) => !isEmpty(value));
  const commonFacts = facts
    .filter(([, value]) => isShortValue(value))
    .map(([name, value]) => (plain.includes(name) ? value : `${name}: ${value}`))
    .join(' · ');
  const ownFacts = facts
    .filter(([, value]) => !isShortValue(value))
    .map(([name, value]) => `${name}: ${formatItemValue(value)}`);
  return [commonFacts, ...ownFacts]
    .filter((line) => line !== '')
    .map((line) => `\n   ${line}`)
    .join('');
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

type Item = Readonly<Record<string, unknown>>;

/**
 * A hit without what its text says itself: each token counts as often as there are hits. Its date
 * is that of the event, if it is known, or else of when it was said. Structured content has all.
 */
function briefHit({ occurred, type: _type, categories: _categories, ...hit }: Item): Item {
  const date = occurred === undefined ? `said ${hit.date}` : `event ${occurred}`;
  return { ...hit, score: Number(hit.score).toFixed(2), date };
}

const knownByLooks = ['score', 'date'];

/** What was not stored, and why; "duplicate of ID" names the memory already. */
function briefChange(item: Item): Item {
  const { event, id, reason, ...fields } = item;
  if (event !== 'NOOP' || typeof reason !== 'string') return item;
  const isNamed = typeof id === 'string' && reason.includes(id);
  return { ...fields, ...(!isNamed && { id }), 'not stored': withShortIds(reason) };
}

/** Ids in a row, on the line of short values if there is one. */
function briefConflict([name, value]: [string, unknown]): [string, unknown] {
  if (name !== 'may_replace' || !Array.isArray(value)) return [name, value];
  return ['may replace', value.join(', ')];
}

/** The item with short ids, because a model may have to repeat them. */
export function withIdsShortened(item: Item): Item {
  const fields = Object.entries(item).map(([name, value]) => [name, shortIn(item, name, value)]);
  return Object.fromEntries(fields);
}

function shortIn(item: Item, name: string, value: unknown): unknown {
  if (nestingFields.includes(name)) return shortWithin(value);
  if (idListFields.includes(name) && Array.isArray(value)) return value.map(shortId);
  if (typeof value !== 'string') return value;
  // We write messages and the reason for a change, and they may name a record.
  if (name === 'reason' || name === 'message') return withShortIds(value);
  const isOurs = recordIdFields.includes(name) || (name === 'id' && isRecord(item));
  return isOurs ? shortIdOf(value) : value;
}

/** Fields that hold further items: a result's changes, and the subject of a call. */
const nestingFields = `
  results payload memories similar changes conflicts added changed removed recall then now
  left_out differences
`
  .trim()
  .split(/\s+/);

function shortWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortWithin);
  return isObject(value) ? withIdsShortened(value) : value;
}

function shortId(id: unknown): unknown {
  return typeof id === 'string' ? shortIdOf(id) : id;
}

const idListFields = ['memory_ids', 'may_replace'];

const recordIdFields = ['memory_id', 'replaced_by', 'event_id', 'webhook_id'];

/** True of what has an id of ours; callers choose the ids of entities and projects. */
function isRecord(item: Item): boolean {
  return recordMarks.some((mark) => mark in item);
}

/** Memories, history and ratings, events and deliveries, exports, conflicts and recalls. */
const recordMarks = 'memory memory_id event_type message reason query_hash score'.split(' ');

/** A word without separators, and the dates that are written in words of ours. */
const shortValue = /^(?:said |event )?(?:(?:week|season) of )?[\w:.+-]{1,64}$/;

function isShortValue(value: unknown): boolean {
  return typeof value === 'string' ? shortValue.test(value) : typeof value !== 'object';
}

function formatItemValue(value: unknown): string {
  return markContinuationLines(typeof value === 'string' ? value : JSON.stringify(value));
}
