import * as z from 'zod';
import { isObject } from './is-object.ts';
import { entityIdFields } from './schemas/entity.ts';

const recordIdShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const timeShape = /^\d{4}-\d\d-\d\dT[\d:.]{8,}(?:Z|[+-]\d\d:\d\d)$/;

/**
 * An output as it may be kept beside the store: ids of records, statuses, numbers and times stay;
 * text becomes empty, null or absent, whichever the schema allows, and so do ids that callers
 * choose. The result fits the schema.
 */
export function withoutText<S extends z.ZodObject>(
  schema: S,
  output: z.output<S>,
): Record<string, unknown> {
  return objectWithoutText(schema, output);
}

function objectWithoutText(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  if (!isObject(value)) return {};
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const kept = valueWithoutText(
      field,
      Object.hasOwn(value, name) ? value[name] : undefined,
      name,
    );
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(fields);
}

/** Handles the kinds of schemas that the contract is made of; of others nothing is kept. */
function valueWithoutText(schema: unknown, value: unknown, name: string): unknown {
  if (value === undefined || value === null) return value;
  if (schema instanceof z.ZodOptional) {
    return valueOr(undefined, valueWithoutText(schema.unwrap(), value, name));
  }
  if (schema instanceof z.ZodNullable) {
    return valueOr(null, valueWithoutText(schema.unwrap(), value, name));
  }
  if (schema instanceof z.ZodObject) return objectWithoutText(schema, value);
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [];
    return value.map((item) => valueWithoutText(schema.element, item, name));
  }
  if (schema instanceof z.ZodRecord) return {};
  if (schema instanceof z.ZodString) return isKept(name, value) ? value : '';
  if (schema instanceof z.ZodEnum) return schema.safeParse(value).success ? value : undefined;
  const isPlain = schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean;
  return isPlain ? value : undefined;
}

function valueOr<T>(nothing: T, value: unknown): unknown {
  return value === '' ? nothing : value;
}

function isKept(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || entityIdFields.some((field) => field === name)) return false;
  if (name === 'id' || name.endsWith('_id')) return recordIdShape.test(value);
  return name.endsWith('_at') && timeShape.test(value);
}
