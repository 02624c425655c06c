import { setImmediate as othersTurn } from 'node:timers/promises';
import { isObject } from '../../contract/is-object.ts';
import type { StoredMemory } from '../ports/index.ts';
import { type AnalyzedMemory, analyzeMemory, holdsAllTerms } from './analyzed-memory.ts';
import { extractValue, type FieldQuery, findChoices, findStatedTexts } from './extract-value.ts';
import { isEmptyValue } from './ground-schema.ts';
import { fitScalar, isMemoryField, memoryFieldValue } from './memory-fields.ts';
import type { ScalarShape, SchemaField, SchemaShape, ShapeChoice } from './schema-shape.ts';

type ObjectShape = Extract<SchemaShape, { kind: 'object' }>;
type FilledObject = Record<string, unknown>;

/** Work that yields now and then, so that a large export leaves the process to others too. */
type FillSteps<T> = Generator<undefined, T>;

/**
 * Fills a shape from memories, newest first, without a model: by the memories' own fields and by
 * what their words state in a way that a rule reads. What no rule fills is null, or an empty list.
 */
export async function fillShape(
  shape: ObjectShape,
  memories: readonly StoredMemory[],
): Promise<FilledObject> {
  const work = fillFromMemories(shape, memories);
  for (let steps = 1; ; steps += 1) {
    const { done, value } = work.next();
    if (done) return value;
    if (steps % stepsPerTurn === 0) await othersTurn();
  }
}

/** A step takes about 5 microseconds. */
const stepsPerTurn = 1000;

function* fillFromMemories(
  shape: ObjectShape,
  memories: readonly StoredMemory[],
): FillSteps<FilledObject> {
  const sources: AnalyzedMemory[] = [];
  for (const memory of memories) {
    yield;
    sources.push(analyzeMemory(memory));
  }
  return yield* fillObject(shape, sources);
}

function* fillObject(
  { fields }: ObjectShape,
  sources: readonly AnalyzedMemory[],
): FillSteps<FilledObject> {
  const entries: [string, unknown][] = [];
  for (const field of fields)
    entries.push([field.name, yield* fillShapeOf(field, field.shape, sources)]);
  return Object.fromEntries(entries);
}

function* fillShapeOf(
  field: SchemaField,
  shape: SchemaShape,
  sources: readonly AnalyzedMemory[],
): FillSteps<unknown> {
  switch (shape.kind) {
    case 'object':
      return memoryFieldObject(field, shape, sources) ?? (yield* fillObject(shape, sources));
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
function memoryFieldObject(
  field: SchemaField,
  { fields }: ObjectShape,
  sources: readonly AnalyzedMemory[],
) {
  const [source, ...others] = sources;
  if (fields.length > 0 || source === undefined || others.length > 0) return null;
  const own = memoryFieldValue(source.memory, field);
  return isObject(own) ? own : null;
}

function* fillEither(
  field: SchemaField,
  options: readonly SchemaShape[],
  sources: readonly AnalyzedMemory[],
): FillSteps<unknown> {
  for (const option of options) {
    const filled = yield* fillShapeOf(field, option, sources);
    if (!isEmptyValue(filled)) return filled;
  }
  return null;
}

/** The newest memory that has a value; of a memory's own fields only what all have in common. */
function* fillScalar(
  question: FieldQuery,
  shape: ScalarShape,
  sources: readonly AnalyzedMemory[],
): FillSteps<unknown> {
  const { field } = question;
  const own = sources.map(({ memory }) => memoryFieldValue(memory, field));
  if (isMemoryField(field)) return commonValue(own.map((value) => fitScalar(value ?? null, shape)));
  const ownValue = own.map((value) => fitScalar(value, shape)).find((value) => value !== null);
  if (ownValue !== undefined) return ownValue;
  for (const source of sources) {
    yield;
    const extracted = extractValue(question, shape, source);
    if (extracted !== null) return extracted;
  }
  return shape.kind === 'choice' ? yield* fillChoice(shape.choices, sources) : null;
}

/** A word of a choice tells what it is about, when it is long and no other choice is named. */
function* fillChoice(
  choices: readonly ShapeChoice[],
  sources: readonly AnalyzedMemory[],
): FillSteps<unknown> {
  const telling = choices.filter(({ value }) => String(value).length >= distinctiveMinChars);
  const matches: unknown[] = [];
  for (const source of sources) {
    yield;
    matches.push(...findChoices(telling, source));
  }
  return commonValue(matches);
}

const distinctiveMinChars = 4;

function commonValue(values: readonly unknown[]): unknown {
  const [first = null, ...others] = new Set(values);
  return others.length > 0 ? null : first;
}

/** One item a memory for objects; for the rest the values of the memories that tell of it. */
function* fillList(
  field: SchemaField,
  items: SchemaShape,
  sources: readonly AnalyzedMemory[],
): FillSteps<unknown[]> {
  const filledItems: unknown[] = [];
  for (const source of sources) {
    yield;
    filledItems.push(...(yield* fillItems(field, items, source)));
  }
  return items.kind === 'object' ? filledItems : [...new Set(filledItems)];
}

function* fillItems(
  field: SchemaField,
  items: SchemaShape,
  source: AnalyzedMemory,
): FillSteps<unknown[]> {
  if (items.kind === 'object' || items.kind === 'list' || items.kind === 'either') {
    const item = yield* fillShapeOf(field, items, [source]);
    return isEmptyValue(item) ? [] : [item];
  }
  if (items.kind === 'fixed') return [];
  const own = memoryFieldValue(source.memory, field);
  if (own !== undefined) {
    const values = Array.isArray(own) ? own : [own];
    if (items.kind === 'unknown') return values;
    return values.map((value) => fitScalar(value, items)).filter((value) => value !== null);
  }
  return items.kind === 'unknown' ? [] : findListValues(field, items, source);
}

function findListValues(field: SchemaField, items: ScalarShape, source: AnalyzedMemory): unknown[] {
  if (items.kind === 'choice') return findChoices(items.choices, source);
  const isPlainText = items.kind === 'text' && items.format === null;
  const stated = isPlainText ? findStatedTexts(field, source) : [];
  if (stated.length > 0) return stated.filter((value) => fitScalar(value, items) !== null);
  const value = extractValue({ field, alone: false }, items, source);
  if (value !== null) return [value];
  const isTold = field.terms.length > 0 && holdsAllTerms(source, field.terms);
  const whole = isTold && items.kind === 'text' ? fitScalar(source.memory.memory, items) : null;
  return whole === null ? [] : [whole];
}
