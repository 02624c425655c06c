import * as z from 'zod';
import { isObject } from '../is-object.ts';
import { limits } from '../limits.ts';
import { cleanJson } from './text.ts';

const encoder = new TextEncoder();

/**
 * Custom key/value data: a JSON object of at most 16 KiB and 6 levels. JSON text is accepted too,
 * for query parameters. The key `__proto__` is refused, and so are whole numbers beyond 2^53 - 1:
 * JSON is read with their last digits lost, so that two ids of 18 digits would be one.
 */
export const Metadata = metadataWith((value) =>
  losesDigits(value)
    ? `holds a whole number beyond ${Number.MAX_SAFE_INTEGER}; write it as text`
    : null,
);

/** From here on JavaScript writes numbers as powers of ten: nobody took one for an id. */
const powersFrom = 1e21;

/** Whether it is a whole number written in digits, of which the last ones may be lost. */
export function losesDigits(value: number): boolean {
  const isWritten = Number.isInteger(value) && Math.abs(value) < powersFrom;
  return isWritten && !Number.isSafeInteger(value);
}

/** The same from an archive, whose numbers have lost what they could. */
export const ArchivedMetadata = metadataWith(() => null);

/** The problem of a finite number, in words. */
type NumberProblem = (value: number) => string | null;

function metadataWith(numberProblem: NumberProblem) {
  return z.preprocess(
    (value, ctx) => {
      const read = parseIfJson(value);
      const problem = metadataProblem(read, numberProblem);
      if (problem !== null) ctx.issues.push({ code: 'custom', message: problem, input: value });
      return problem === null ? cleanJson(read) : {};
    },
    z.record(z.string(), z.unknown()),
  );
}

/** A JSON object of at most 32 levels. */
export const JsonDocument = z
  .record(z.string(), z.unknown())
  .refine((document) => !isDeeperThan(limits.schema_max_levels, document), {
    error: `is nested too deep; at most ${limits.schema_max_levels} levels`,
    abort: true,
  })
  .overwrite(cleanJson);

/** A JSON Schema to fill, also accepted as JSON text: at most 64 KiB. */
export const SchemaDocument = z.preprocess(
  parseIfJson,
  JsonDocument.refine(
    (schema) => JSON.stringify(schema).length <= limits.export_schema_max_bytes,
    `at most ${limits.export_schema_max_bytes} bytes`,
  ),
);

/** Parses JSON text; any other value is returned unchanged. */
export function parseIfJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True when objects and arrays nest more than `levels` deep; stops at that depth. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}

function metadataProblem(value: unknown, numberProblem: NumberProblem): string | null {
  if (!isObject(value)) return 'must be a JSON object';
  const inside = nestedProblem(value, 1, numberProblem);
  if (inside !== null) return inside;
  const bytes = encoder.encode(JSON.stringify(value)).length;
  if (bytes > limits.metadata_max_bytes) {
    return `holds ${bytes} bytes; at most ${limits.metadata_max_bytes}`;
  }
  return null;
}

function nestedProblem(value: unknown, level: number, numberProblem: NumberProblem): string | null {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? numberProblem(value) : 'holds a number that is too large';
  }
  if (typeof value !== 'object' || value === null) return null;
  if (level > limits.metadata_max_levels) {
    return `is nested too deep; at most ${limits.metadata_max_levels} levels`;
  }
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') return 'must not hold a key named __proto__';
    const problem = nestedProblem(child, level + 1, numberProblem);
    if (problem !== null) return problem;
  }
  return null;
}
