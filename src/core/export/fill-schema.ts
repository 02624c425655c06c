import { isObject } from '../../contract/schemas/json.ts';
import type { StoredMemory } from '../ports.ts';
import { columnOf, fitted, isColumn } from './column.ts';
import { choicesIn, extract, type Question } from './extract.ts';
import type { Choice, Field, Scalar, Shape } from './shape.ts';
import { holdsAll, type Source, toSource } from './source.ts';

type ObjectShape = Extract<Shape, { kind: 'object' }>;
type Filled = Record<string, unknown>;

/**
 * Fills a shape from memories, newest first, without a model: by the memories' own fields and by
 * what their words state in a way that a rule reads. What no rule fills is null, or an empty list.
 */
export function fillShape(shape: ObjectShape, memories: readonly StoredMemory[]): Filled {
  return fillObject(shape, memories.map(toSource));
}

function fillObject({ fields }: ObjectShape, sources: readonly Source[]): Filled {
  return Object.fromEntries(fields.map((field) => [field.name, fill(field, field.shape, sources)]));
}

function fill(field: Field, shape: Shape, sources: readonly Source[]): unknown {
  switch (shape.kind) {
    case 'object':
      return ownObject(field, shape, sources) ?? fillObject(shape, sources);
    case 'list':
      return fillList(field, shape.items, sources);
    case 'either':
      return fillEither(field, shape.options, sources);
    case 'fixed':
      return shape.value;
    case 'unknown':
      return null;
    default:
      return fillScalar({ field, alone: sources.length === 1 }, shape, sources);
  }
}

/** A field named `metadata` without fields of its own takes a memory's as it is. */
function ownObject(field: Field, { fields }: ObjectShape, sources: readonly Source[]) {
  const [source, ...others] = sources;
  if (fields.length > 0 || source === undefined || others.length > 0) return null;
  const own = columnOf(source.memory, field.name);
  return isObject(own) ? own : null;
}

function fillEither(field: Field, options: readonly Shape[], sources: readonly Source[]): unknown {
  for (const option of options) {
    const filled = fill(field, option, sources);
    if (!isEmpty(filled)) return filled;
  }
  return null;
}

/** The newest memory that has a value; of a memory's own fields only what all have in common. */
function fillScalar(question: Question, shape: Scalar, sources: readonly Source[]): unknown {
  const { name } = question.field;
  const own = sources.map(({ memory }) => columnOf(memory, name));
  if (isColumn(name)) return common(own.map((value) => fitted(value ?? null, shape)));
  const given = own.map((value) => fitted(value, shape)).find((value) => value !== null);
  if (given !== undefined) return given;
  for (const source of sources) {
    const found = extract(question, shape, source);
    if (found !== null) return found;
  }
  return shape.kind === 'choice' ? onlyChoice(shape.choices, sources) : null;
}

/** A word of a choice tells what it is about, when it is long and no other choice is named. */
function onlyChoice(choices: readonly Choice[], sources: readonly Source[]): unknown {
  const telling = choices.filter(({ value }) => String(value).length >= tellingMinChars);
  return common(sources.flatMap((source) => choicesIn(telling, source)));
}

const tellingMinChars = 4;

function common(values: readonly unknown[]): unknown {
  const [first = null, ...others] = new Set(values);
  return others.length > 0 ? null : first;
}

/** One item a memory for objects; for the rest the values of the memories that tell of it. */
function fillList(field: Field, items: Shape, sources: readonly Source[]): unknown[] {
  const found = sources.flatMap((source) => itemsOf(field, items, source));
  return items.kind === 'object' ? found : [...new Set(found)];
}

function itemsOf(field: Field, items: Shape, source: Source): unknown[] {
  if (items.kind === 'object' || items.kind === 'list' || items.kind === 'either') {
    const item = fill(field, items, [source]);
    return isEmpty(item) ? [] : [item];
  }
  if (items.kind === 'fixed') return [];
  const own = columnOf(source.memory, field.name);
  if (own !== undefined) {
    const values = Array.isArray(own) ? own : [own];
    if (items.kind === 'unknown') return values;
    return values.map((value) => fitted(value, items)).filter((value) => value !== null);
  }
  return items.kind === 'unknown' ? [] : toldBy(field, items, source);
}

function toldBy(field: Field, items: Scalar, source: Source): unknown[] {
  if (items.kind === 'choice') return choicesIn(items.choices, source);
  const value = extract({ field, alone: false }, items, source);
  if (typeof value === 'string' && items.kind === 'text' && items.format === null) {
    return value.split(/,\s+|\s+(?:and|or)\s+/).filter((part) => part !== '');
  }
  if (value !== null) return [value];
  const isTold = field.terms.length > 0 && holdsAll(source, field.terms);
  const whole = isTold && items.kind === 'text' ? fitted(source.memory.memory, items) : null;
  return whole === null ? [] : [whole];
}

function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return isObject(value) && Object.values(value).every(isEmpty);
}
