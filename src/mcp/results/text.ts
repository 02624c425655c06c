import { isObject } from '../../contract/is-object.ts';
import { shortIdOf, withShortIds } from '../../contract/short-id.ts';

/** Every character that some reader treats as the end of a line. */
const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Marks continuation lines of a stored text, so that none can pass for a line of ours. */
const continuationMark = '\n   | ';

/** Marks the continuation lines of a stored text, so that it cannot break out of its frame. */
export function markContinuationLines(text: string): string {
  return text.split(lineEnds).join(continuationMark);
}

/** Text on one line. */
export function oneLine(text: string): string {
  return text.split(lineEnds).join(' ');
}

/**
 * An item as text: its main field first, the rest below. Values that could hold a separator get a
 * line each; ids, dates and numbers share one.
 */
export function formatItem(item: Item, index: number): string {
  const fields = Object.entries(withShortMemoryIds(item)).filter(([, value]) => value !== null);
  const [[, main] = ['', ''], ...rest] = fields;
  const plain = rest.filter(([, value]) => isShortValue(value));
  const shared = plain.map(([name, value]) => `${name}: ${value}`).join(' · ');
  const own = rest
    .filter(([, value]) => !isShortValue(value))
    .map(([name, value]) => `${name}: ${formatItemValue(value)}`);
  const below = [shared, ...own].filter((line) => line !== '').map((line) => `\n   ${line}`);
  return `${index}. ${formatItemValue(main)}${below.join('')}`;
}

type Item = Readonly<Record<string, unknown>>;

/** The item with short memory ids, because a model may have to repeat them. */
export function withShortMemoryIds(item: Item): Item {
  const fields = Object.entries(item).map(([name, value]) => [name, shortIn(item, name, value)]);
  return Object.fromEntries(fields);
}

function shortIn(item: Item, name: string, value: unknown): unknown {
  if (name === 'results' && Array.isArray(value)) {
    return value.map((part: unknown) => (isObject(part) ? withShortMemoryIds(part) : part));
  }
  if (typeof value !== 'string') return value;
  // We write the reason for a change, and it may name another memory.
  if (name === 'reason') return withShortIds(value);
  const isId = memoryIdFields.includes(name) || (name === 'id' && 'memory' in item);
  return isId ? shortIdOf(value) : value;
}

const memoryIdFields = ['memory_id', 'replaced_by'];

function isShortValue(value: unknown): boolean {
  return typeof value === 'string' ? /^[\w:.+-]{1,64}$/.test(value) : typeof value !== 'object';
}

function formatItemValue(value: unknown): string {
  return markContinuationLines(typeof value === 'string' ? value : JSON.stringify(value));
}
