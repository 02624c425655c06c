import { setImmediate as othersTurn } from 'node:timers/promises';
import { isObject } from '../../contract/object.ts';
import type { StoredMemory } from '../ports.ts';
import { columnOf, fitted, isColumn } from './column.ts';
import { choicesIn, extract, type Question, statedList } from './extract.ts';
import { isEmpty } from './fit-schema.ts';
import type { Choice, Field, Scalar, Shape } from './shape.ts';
import { holdsAll, type Source, toSource } from './source.ts';

type ObjectShape = Extract<Shape, { kind: 'object' }>;
type Filled = Record<string, unknown>;

/** Work that yields now and then, so that a large export leaves the process to others too. */
type Work<T> = Generator<undefined, T>;

/**
 * Fills a shape from memories, newest first, without a model: by the memories' own fields and by
 * what their words state in a way that a rule reads. What no rule fills is null, or an empty list.
 */
export async function fillShape(
  shape: ObjectShape,
  memories: readonly StoredMemory[],
): Promise<Filled> {
  const work = fillFrom(shape, memories);
  for (let steps = 1; ; steps += 1) {
    const { done, value } = work.next();
    if (done) return value;
    if (steps % stepsAtOnce === 0) await othersTurn();
  }
}

/** Of about 5 microseconds each. */
const stepsAtOnce = 1000;

function* fillFrom(shape: ObjectShape, memories: readonly StoredMemory[]): Work<Filled> {
  const sources: Source[] = [];
  for (const memory of memories) {
    yield;
    sources.push(toSource(memory));
  }
  return yield* fillObject(shape, sources);
}

function* fillObject({ fields }: ObjectShape, sources: readonly Source[]): Work<Filled> {
  const entries: [string, unknown][] = [];
  for (const field of fields) entries.push([field.name, yield* fill(field, field.shape, sources)]);
  return Object.fromEntries(entries);
}

function* fill(field: Field, shape: Shape, sources: readonly Source[]): Work<unknown> {
  switch (shape.kind) {
    case 'object':
      return ownObject(field, shape, sources) ?? (yield* fillObject(shape, sources));
    case 'list':
      return yield* fillList(field, shape.items, sources);
    case 'either':
      return yield* fillEither(field, shape.options, sources);
    case 'fixed':
      return shape.value;
    case 'unknown':
      return null;
    default:
      return yield* fillScalar({ field, alone: sources.length === 1 }, shape, sources);
  }
}

/** A field named `metadata` without fields of its own takes a memory's as it is. */
function ownObject(field: Field, { fields }: ObjectShape, sources: readonly Source[]) {
  const [source, ...others] = sources;
  if (fields.length > 0 || source === undefined || others.length > 0) return null;
  const own = columnOf(source.memory, field);
  return isObject(own) ? own : null;
}

function* fillEither(
  field: Field,
  options: readonly Shape[],
  sources: readonly Source[],
): Work<unknown> {
  for (const option of options) {
    const filled = yield* fill(field, option, sources);
    if (!isEmpty(filled)) return filled;
  }
  return null;
}

/** The newest memory that has a value; of a memory's own fields only what all have in common. */
function* fillScalar(question: Question, shape: Scalar, sources: readonly Source[]): Work<unknown> {
  const { field } = question;
  const own = sources.map(({ memory }) => columnOf(memory, field));
  if (isColumn(field)) return common(own.map((value) => fitted(value ?? null, shape)));
  const given = own.map((value) => fitted(value, shape)).find((value) => value !== null);
  if (given !== undefined) return given;
  for (const source of sources) {
    yield;
    const found = extract(question, shape, source);
    if (found !== null) return found;
  }
  return shape.kind === 'choice' ? yield* onlyChoice(shape.choices, sources) : null;
}

/** A word of a choice tells what it is about, when it is long and no other choice is named. */
function* onlyChoice(choices: readonly Choice[], sources: readonly Source[]): Work<unknown> {
  const telling = choices.filter(({ value }) => String(value).length >= tellingMinChars);
  const found: unknown[] = [];
  for (const source of sources) {
    yield;
    found.push(...choicesIn(telling, source));
  }
  return common(found);
}

const tellingMinChars = 4;

function common(values: readonly unknown[]): unknown {
  const [first = null, ...others] = new Set(values);
  return others.length > 0 ? null : first;
}

/** One item a memory for objects; for the rest the values of the memories that tell of it. */
function* fillList(field: Field, items: Shape, sources: readonly Source[]): Work<unknown[]> {
  const found: unknown[] = [];
  for (const source of sources) {
    yield;
    found.push(...(yield* itemsOf(field, items, source)));
  }
  return items.kind === 'object' ? found : [...new Set(found)];
}

function* itemsOf(field: Field, items: Shape, source: Source): Work<unknown[]> {
  if (items.kind === 'object' || items.kind === 'list' || items.kind === 'either') {
    const item = yield* fill(field, items, [source]);
    return isEmpty(item) ? [] : [item];
  }
  if (items.kind === 'fixed') return [];
  const own = columnOf(source.memory, field);
  if (own !== undefined) {
    const values = Array.isArray(own) ? own : [own];
    if (items.kind === 'unknown') return values;
    return values.map((value) => fitted(value, items)).filter((value) => value !== null);
  }
  return items.kind === 'unknown' ? [] : toldBy(field, items, source);
}

function toldBy(field: Field, items: Scalar, source: Source): unknown[] {
  if (items.kind === 'choice') return choicesIn(items.choices, source);
  const isPlainText = items.kind === 'text' && items.format === null;
  const stated = isPlainText ? statedList(field, source) : [];
  if (stated.length > 0) return stated.filter((value) => fitted(value, items) !== null);
  const value = extract({ field, alone: false }, items, source);
  if (value !== null) return [value];
  const isTold = field.terms.length > 0 && holdsAll(source, field.terms);
  const whole = isTold && items.kind === 'text' ? fitted(source.memory.memory, items) : null;
  return whole === null ? [] : [whole];
}
