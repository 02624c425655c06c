import { isObject } from '../contract/object.ts';
import { shortIdOf, withShortIds } from '../contract/short-id.ts';

/** Every character that some reader takes for the end of a line. */
const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Marks the lines of a stored text after its first: it cannot pass for a line of ours. */
const continued = '\n   | ';

/** Stored text inside a frame: lines after its first are marked, so that it can't leave it. */
export function framed(text: string): string {
  return text.split(lineEnds).join(continued);
}

/** Text on one line. */
export function oneLine(text: string): string {
  return text.split(lineEnds).join(' ');
}

/**
 * An item as text: its main field first, the rest below. Values that could hold a separator get a
 * line each; ids, dates and numbers share one.
 */
export function itemText(item: Item, index: number): string {
  const fields = Object.entries(shortened(item)).filter(([, value]) => value !== null);
  const [[, main] = ['', ''], ...rest] = fields;
  const plain = rest.filter(([, value]) => isPlain(value));
  const shared = plain.map(([name, value]) => `${name}: ${value}`).join(' · ');
  const own = rest
    .filter(([, value]) => !isPlain(value))
    .map(([name, value]) => `${name}: ${valueText(value)}`);
  const below = [shared, ...own].filter((line) => line !== '').map((line) => `\n   ${line}`);
  return `${index}. ${valueText(main)}${below.join('')}`;
}

type Item = Readonly<Record<string, unknown>>;

/** The item with short ids of memories: whoever reads a text may have to repeat them. */
export function shortened(item: Item): Item {
  const fields = Object.entries(item).map(([name, value]) => [name, shortIn(item, name, value)]);
  return Object.fromEntries(fields);
}

function shortIn(item: Item, name: string, value: unknown): unknown {
  if (name === 'results' && Array.isArray(value)) {
    return value.map((part: unknown) => (isObject(part) ? shortened(part) : part));
  }
  if (typeof value !== 'string') return value;
  // The reason for a change is in our words, and may name another memory.
  if (name === 'reason') return withShortIds(value);
  const isId = idFields.includes(name) || (name === 'id' && 'memory' in item);
  return isId ? shortIdOf(value) : value;
}

const idFields = ['memory_id', 'replaced_by'];

function isPlain(value: unknown): boolean {
  return typeof value === 'string' ? /^[\w:.+-]{1,64}$/.test(value) : typeof value !== 'object';
}

function valueText(value: unknown): string {
  return framed(typeof value === 'string' ? value : JSON.stringify(value));
}
