import { isObject } from '../../contract/is-object.ts';
import { analyze, analyzeQuery } from '../language/terms-of-text.ts';
import { findNumbers } from './literals.ts';
import { fitScalar, isMemoryField } from './memory-fields.ts';
import type { ScalarShape, SchemaField, SchemaShape } from './schema-shape.ts';

/** The words and numbers of memories, to recognize values that a model invented. */
export type SourceEvidence = {
  text: string;
  terms: ReadonlySet<string>;
  numbers: ReadonlySet<number>;
};

export function collectEvidence(memories: readonly { memory: string }[]): SourceEvidence {
  const text = memories
    .map(({ memory }) => memory)
    .join('\n')
    .toLowerCase();
  const digits = (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  const numbers = new Set([...digits, ...findNumbers(text).map(({ value }) => value)]);
  return { text, terms: new Set(analyze(text)), numbers };
}

/**
 * Keeps those values of a model's answer that fit the shape and that memories state. The others
 * become null, or are left out of their list.
 */
export function groundShape(shape: SchemaShape, value: unknown, stated: SourceEvidence): unknown {
  switch (shape.kind) {
    case 'object': {
      const given = isObject(value) ? value : {};
      const entries = shape.fields.map(({ name, shape: inner }): [string, unknown] => [
        name,
        groundShape(inner, Object.hasOwn(given, name) ? given[name] : null, stated),
      ]);
      return Object.fromEntries(entries);
    }
    case 'list':
      return (Array.isArray(value) ? value.slice(0, itemsMax) : [])
        .map((item) => groundShape(shape.items, item, stated))
        .filter((item) => !isEmptyValue(item));
    case 'either':
      return (
        shape.options
          .map((option) => groundShape(option, value, stated))
          .find((option) => !isEmptyValue(option)) ?? null
      );
    case 'fixed':
      return shape.value;
    case 'unknown':
      return isGrounded(value, null, stated) ? value : null;
    default:
      return groundScalar(shape, value, stated);
  }
}

const itemsMax = 1000;

function groundScalar(shape: ScalarShape, value: unknown, stated: SourceEvidence): unknown {
  const scalar = fitScalar(value, shape);
  // Which of the choices fits, and whether something is so, is a judgement, not a quotation.
  if (shape.kind === 'choice' || shape.kind === 'boolean') return scalar;
  return isGrounded(scalar, shape.kind === 'text' ? shape.format : null, stated) ? scalar : null;
}

/** How much of a text has to be found in the memories. */
const groundedShareMin = 0.5;

function isGrounded(value: unknown, format: string | null, stated: SourceEvidence): boolean {
  if (typeof value === 'boolean') return true;
  if (typeof value === 'number') return stated.numbers.has(value);
  if (typeof value !== 'string' || value.trim() === '') return false;
  // Dates are written in many ways, and put into one here.
  if (format === 'date' || format === 'date-time') return true;
  if (format !== null) return stated.text.includes(value.trim().toLowerCase());
  const terms = analyzeQuery(value);
  const statedTerms = terms.filter((term) => stated.terms.has(term)).length;
  return statedTerms > 0 && statedTerms / terms.length >= groundedShareMin;
}

/**
 * Both together: what a model found, and where it found nothing what rules did. Fields that are a
 * memory's own, and lists of such, are the rules': they hold them word for word, and all of them.
 */
export function mergeFilledShapes(shape: SchemaShape, model: unknown, rules: unknown): unknown {
  if (shape.kind !== 'object') return isEmptyValue(model) ? rules : model;
  const [found, known] = [isObject(model) ? model : {}, isObject(rules) ? rules : {}];
  const entries = shape.fields.map((field): [string, unknown] => {
    const { name } = field;
    const merged = isVerbatimField(field)
      ? known[name]
      : mergeFilledShapes(field.shape, found[name], known[name]);
    return [name, merged ?? null];
  });
  return Object.fromEntries(entries);
}

function isVerbatimField(field: SchemaField): boolean {
  const { shape } = field;
  if (shape.kind === 'object') return false;
  if (shape.kind !== 'list') return isMemoryField(field);
  return (
    isMemoryField(field) ||
    (shape.items.kind === 'object' && shape.items.fields.some(isMemoryField))
  );
}

export function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.every(isEmptyValue);
  return isObject(value) && Object.values(value).every(isEmptyValue);
}
