import * as z from 'zod';
import { isObject } from './is-object.ts';

/** A response parsed as an output, or the reason why it is not one. */
export type ParsedOutput<O> = { output: O } | { problem: string };

/**
 * Parses the response of a server that may be older or newer than the contract. Keys that the
 * schema does not name are dropped. A missing field becomes null, an empty list or an empty object
 * if the schema allows that; otherwise it stays absent, because a value would be invented. A word
 * that an enum does not know stays as it is. A value of another type, and an object that shares no
 * field with the schema, are problems.
 */
export function parseOutput<S extends z.ZodObject>(
  schema: S,
  answer: unknown,
): ParsedOutput<z.output<S>> {
  try {
    // The shape of the schema, except for fields that other servers lack.
    return { output: readValue(schema, answer, []) as z.output<S> };
  } catch (error) {
    if (error instanceof OutputMismatch) return { problem: error.message };
    throw error;
  }
}

class OutputMismatch extends Error {
  constructor(path: readonly string[], expected: string) {
    super(`${path.join('.') || 'it'} is not ${expected}`);
  }
}

/** Handles the kinds of schemas that the contract is made of. */
function readValue(schema: unknown, value: unknown, path: readonly string[]): unknown {
  if (schema instanceof z.ZodOptional) return readValue(schema.unwrap(), value, path);
  if (schema instanceof z.ZodNullable) {
    return value === null ? null : readValue(schema.unwrap(), value, path);
  }
  if (schema instanceof z.ZodObject) return readObject(schema, value, path);
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) throw new OutputMismatch(path, 'a list');
    return value.map((item, index) => readValue(schema.element, item, [...path, String(index)]));
  }
  if (schema instanceof z.ZodRecord)
    return requireFit(isObject(value), { value, path }, 'an object');
  return readScalar(schema, value, path);
}

function readObject(schema: z.ZodObject, value: unknown, path: readonly string[]): object {
  if (!isObject(value)) throw new OutputMismatch(path, 'an object');
  const names = Object.keys(schema.shape);
  const own = (name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);
  if (names.length > 0 && names.every((name) => own(name) === undefined)) {
    throw new OutputMismatch(path, `an object with ${names.slice(0, namesShownMax).join(', ')}`);
  }
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const child = own(name);
    const isMissing = child === undefined || (child === null && !allowsNull(field));
    const read = isMissing ? emptyValueOf(field) : readValue(field, child, [...path, name]);
    return read === undefined ? [] : [[name, read] as const];
  });
  return Object.fromEntries(fields);
}

function allowsNull(field: z.core.$ZodType): boolean {
  return z.safeParse(field, null).success;
}

const namesShownMax = 3;

/** The value that a missing field implies. */
function emptyValueOf(field: unknown): unknown {
  if (field instanceof z.ZodNullable) return null;
  if (field instanceof z.ZodArray) return [];
  return field instanceof z.ZodRecord ? {} : undefined;
}

/** Some servers send numbers as text, and ids as numbers. */
function readScalar(schema: unknown, value: unknown, path: readonly string[]): unknown {
  const at = { value, path };
  if (schema instanceof z.ZodEnum) {
    const word = String(requireFit(isText(value), at, 'text'));
    const options = schema.options.map(String);
    return options.find((option) => option.toLowerCase() === word.toLowerCase()) ?? word;
  }
  if (schema instanceof z.ZodString) return String(requireFit(isText(value), at, 'text'));
  if (schema instanceof z.ZodBoolean)
    return requireFit(typeof value === 'boolean', at, 'a boolean');
  if (schema instanceof z.ZodNumber) {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return requireFit(Number.isFinite(number), { value: number, path }, 'a number');
  }
  return value;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function requireFit(
  fits: boolean,
  { value, path }: { value: unknown; path: readonly string[] },
  expected: string,
): unknown {
  if (!fits) throw new OutputMismatch(path, expected);
  return value;
}
