import * as z from 'zod';
import { isObject } from './is-object.ts';

/** An answer read as an output, or what in it can't be one. */
export type ParsedOutput<O> = { output: O } | { problem: string };

/**
 * Reads the answer of a server that may know less than the contract, or more. Keys that the schema
 * does not name are left out. What is missing is null, an empty list or an empty object where the
 * schema allows that; any other field stays away, for a value would be invented. A word that an
 * enum does not know stays as it is. What is of another type, and an object that shares no field
 * with the schema, is a problem.
 */
export function parseOutput<S extends z.ZodObject>(
  schema: S,
  answer: unknown,
): ParsedOutput<z.output<S>> {
  try {
    // The shape of the schema, but for fields that other servers do not have.
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

/** What a schema is made of: the contract's schemas are all of these. */
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
    const given = own(name);
    const isMissing = given === undefined || (given === null && !allowsNull(field));
    const read = isMissing ? emptyValueOf(field) : readValue(field, given, [...path, name]);
    return read === undefined ? [] : [[name, read] as const];
  });
  return Object.fromEntries(fields);
}

function allowsNull(field: z.core.$ZodType): boolean {
  return z.safeParse(field, null).success;
}

const namesShownMax = 3;

/** What a missing field says without being told. */
function emptyValueOf(field: unknown): unknown {
  if (field instanceof z.ZodNullable) return null;
  if (field instanceof z.ZodArray) return [];
  return field instanceof z.ZodRecord ? {} : undefined;
}

/** Numbers stand as text in some answers, and ids as numbers. */
function readScalar(schema: unknown, value: unknown, path: readonly string[]): unknown {
  const at = { value, path };
  if (schema instanceof z.ZodEnum) {
    const word = String(requireFit(isText(value), at, 'text'));
    const known = schema.options.map(String);
    return known.find((option) => option.toLowerCase() === word.toLowerCase()) ?? word;
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
