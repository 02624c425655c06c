import * as z from 'zod';
import { isObject } from '../is-object.ts';
import { limits } from '../limits.ts';
import { cleanJson } from './text.ts';

const encoder = new TextEncoder();

/**
 * Custom key/value data: a JSON object of at most 16 KiB and 6 levels. JSON text is accepted too,
 * for query parameters. The key `__proto__` is refused.
 */
export const Metadata = z.preprocess(
  (value, ctx) => {
    const read = parseIfJson(value);
    const problem = metadataProblem(read);
    if (problem !== null) ctx.issues.push({ code: 'custom', message: problem, input: value });
    return problem === null ? cleanJson(read) : {};
  },
  z.record(z.string(), z.unknown()),
);

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

/** True when objects and arrays nest more than `levels` deep; stops at that depth. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}

function metadataProblem(value: unknown): string | null {
  if (!isObject(value)) return 'must be a JSON object';
  const inside = nestedProblem(value, 1);
  if (inside !== null) return inside;
  const bytes = encoder.encode(JSON.stringify(value)).length;
  if (bytes > limits.metadata_max_bytes) {
    return `holds ${bytes} bytes; at most ${limits.metadata_max_bytes}`;
  }
  return null;
}

function nestedProblem(value: unknown, level: number): string | null {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'holds a number that is too large';
  if (typeof value !== 'object' || value === null) return null;
  if (level > limits.metadata_max_levels) {
    return `is nested too deep; at most ${limits.metadata_max_levels} levels`;
  }
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') return 'must not hold a key named __proto__';
    const problem = nestedProblem(child, level + 1);
    if (problem !== null) return problem;
  }
  return null;
}
