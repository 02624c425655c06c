import * as z from 'zod';
import { isObject } from './is-object.ts';
import { entityIdFields } from './schemas/entity.ts';

const recordIdShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const recordPathShape = /^(?:\/[a-z0-9-]+)+\/$/;
const timeShape = /^\d{4}-\d\d-\d\d(?:T[\d:.]{8,}(?:Z|[+-]\d\d:\d\d))?$/;

const timeName = /(?:_at|_from|_until|_date|^as_of)$/;
const idName = /^(?:id|project)$|_ids?$/;

/** What a request may name beside ids; an answer to its repeat names it again. */
const ownNames = ['name', 'url'];

type SentInput = Readonly<Record<string, unknown>>;

/**
 * An output as it may be kept beside the store: ids of records, statuses, numbers and times stay;
 * ids and names that the request itself sent become the name of its field, which `withNames`
 * resolves. Other text becomes empty, null or absent, whichever the schema allows. The result with
 * its names fits the schema.
 */
export function withoutText<S extends z.ZodObject>(
  schema: S,
  output: z.output<S>,
  input: SentInput,
): Record<string, unknown> {
  return objectWithoutText(schema, output, input);
}

/** What is kept of an output, with the ids and names that its request sent, and sends again. */
export function withNames(kept: unknown, input: SentInput): unknown {
  if (Array.isArray(kept)) return kept.map((item) => withNames(item, input));
  if (!isObject(kept)) return kept;
  const sent = kept[sentField];
  if (typeof sent === 'string') return input[sent];
  return Object.fromEntries(
    Object.entries(kept).map(([name, value]) => [name, withNames(value, input)]),
  );
}

const sentField = '$sent';

function objectWithoutText(
  schema: z.ZodObject,
  value: unknown,
  input: SentInput,
): Record<string, unknown> {
  if (!isObject(value)) return {};
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    const stripped = valueWithoutText(field, own, { name, input });
    return stripped === undefined ? [] : [[name, stripped] as const];
  });
  return Object.fromEntries(fields);
}

type FieldAt = { name: string; input: SentInput };

/** Handles the kinds of schemas that the contract is made of; of others nothing is kept. */
function valueWithoutText(schema: unknown, value: unknown, at: FieldAt): unknown {
  if (value === undefined || value === null) return value;
  if (schema instanceof z.ZodOptional) {
    return valueOr(undefined, valueWithoutText(schema.unwrap(), value, at));
  }
  if (schema instanceof z.ZodNullable) {
    return valueOr(null, valueWithoutText(schema.unwrap(), value, at));
  }
  if (schema instanceof z.ZodObject) return objectWithoutText(schema, value, at.input);
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [];
    const items = value.map((item) => valueWithoutText(schema.element, item, at));
    return items.filter((item) => item !== '');
  }
  // Counts go by names of ours; the keys of other records are text.
  if (schema instanceof z.ZodRecord) return schema.valueType instanceof z.ZodNumber ? value : {};
  if (schema instanceof z.ZodString) return textWithoutText(value, at);
  if (schema instanceof z.ZodEnum) return schema.safeParse(value).success ? value : undefined;
  const isPlain = schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean;
  return isPlain ? value : undefined;
}

function valueOr<T>(nothing: T, value: unknown): unknown {
  return value === '' ? nothing : value;
}

function textWithoutText(value: unknown, { name, input }: FieldAt): unknown {
  if (typeof value !== 'string') return '';
  if (isKept(name, value)) return value;
  if (!idName.test(name) && !ownNames.includes(name)) return '';
  const field = Object.keys(input).find((one) => input[one] === value);
  return field === undefined ? '' : { [sentField]: field };
}

function isKept(name: string, value: string): boolean {
  if (entityIdFields.some((field) => field === name)) return false;
  if (idName.test(name)) return recordIdShape.test(value);
  if (name === 'file') return true; // of a backup, named by its time
  // An address that ends in `_url` is one of ours; `url` is what a caller chose.
  if (name.endsWith('_url')) return recordPathShape.test(value);
  return timeName.test(name) && timeShape.test(value);
}
