import * as z from 'zod';
import { isObject } from '../../contract/is-object.ts';

export type ToolSchema = { readonly [keyword: string]: unknown };

/**
 * The schema of an input field for agents: type, description, choices and bounds. Other checks of
 * the contract (lengths, formats, patterns) would cost tokens on every turn; the error for a wrong
 * value names them.
 */
export const toolFieldSchema = memoizeBySchema(
  (field: z.ZodType): ToolSchema => simplify(toToolSchema(field)),
);

/**
 * The same schema with text in JSON for objects of any fields, which inputs read as well. Strict
 * modes of models take no object whose fields are not listed: converters refuse it or empty it.
 */
export function strictSchema({ items, properties, ...rest }: ToolSchema): ToolSchema {
  if (rest.type === 'object' && !isObject(properties)) {
    const { description } = rest;
    return {
      type: 'string',
      description: typeof description === 'string' ? `${description}, as JSON text` : 'JSON text',
    };
  }
  const members = Object.entries(isObject(properties) ? properties : {});
  return {
    ...rest,
    ...(isObject(items) && { items: strictSchema(items) }),
    ...(members.length > 0 && {
      properties: Object.fromEntries(
        members.map(([name, member]) => [name, isObject(member) ? strictSchema(member) : member]),
      ),
    }),
  };
}

/** True when a call may leave the field out. */
export const isOptionalField = memoizeBySchema(
  (field: z.ZodType): boolean => field.safeParse(undefined).success,
);

/** The types of the top-level fields of an output; nested ones stay open. */
export const toolOutputSchema = memoizeBySchema((output: z.ZodObject): ToolSchema => {
  const properties = Object.entries(output.shape).map(([name, field]) => {
    const { type, items, anyOf } = toToolSchema(field);
    if (type === 'array')
      return [name, { type, ...(isObject(items) && { items: typeOnly(items) }) }];
    if (type !== undefined) return [name, { type }];
    // A field that can be anything has no type: the data of an export is null until it is done.
    return [name, Array.isArray(anyOf) ? { type: branchTypes(anyOf) } : {}];
  });
  return Object.fromEntries(properties);
});

function typeOnly({ type }: ToolSchema): ToolSchema {
  return type === undefined ? {} : { type };
}

/**
 * Schemas of the contract never change, and over HTTP every client requests all of them: creating
 * them took 40 ms of processor time.
 */
function memoizeBySchema<S extends z.core.$ZodType, T>(make: (schema: S) => T): (schema: S) => T {
  const results = new WeakMap<S, { value: T }>();
  return (schema) => {
    const before = results.get(schema);
    if (before !== undefined) return before.value;
    const value = make(schema);
    results.set(schema, { value });
    return value;
  };
}

function toToolSchema(schema: z.core.$ZodType): ToolSchema {
  const jsonSchema: unknown = z.toJSONSchema(schema, {
    io: 'output', // the input of a preprocessed field can be anything; its output is typed
    unrepresentable: 'any',
  });
  return isObject(jsonSchema) ? jsonSchema : {};
}

/** The keywords to keep, in the order in which they read best. */
const keptKeywords = ['description', 'enum'] as const;
/** Only integers show their bounds: an error explains those of other numbers. */
const bounds = ['minimum', 'maximum'] as const;

function simplify(schema: ToolSchema): ToolSchema {
  const { anyOf, ...fields } = schema;
  if (Array.isArray(anyOf)) return simplify({ ...withoutNull(anyOf), ...fields });
  const simple: Record<string, unknown> = { type: typeWithoutNull(schema.type) };
  const keywords = schema.type === 'integer' ? [...keptKeywords, ...bounds] : keptKeywords;
  for (const keyword of keywords) {
    if (schema[keyword] !== undefined) simple[keyword] = schema[keyword];
  }
  if (isObject(schema.items)) simple.items = simplify(schema.items);
  if (isObject(schema.properties)) Object.assign(simple, objectMembers(schema));
  return simple;
}

function objectMembers({ properties, required }: ToolSchema): ToolSchema {
  const members = Object.entries(properties as Record<string, ToolSchema>).filter(
    ([, member]) => member.internal !== true && member.not_in_tools !== true,
  );
  const names = members.map(([name]) => name);
  const mandatory = Array.isArray(required) ? required.filter((name) => names.includes(name)) : [];
  return {
    properties: Object.fromEntries(members.map(([name, member]) => [name, simplify(member)])),
    ...(mandatory.length > 0 && { required: mandatory }),
  };
}

/** Null is still accepted; declaring it would take a union. */
function withoutNull(branches: readonly unknown[]): ToolSchema {
  return branches.filter(isObject).find((branch) => branch.type !== 'null') ?? {};
}

function typeWithoutNull(type: unknown): unknown {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type;
}

function branchTypes(branches: readonly unknown[]): unknown[] {
  return branches.filter(isObject).map(({ type }) => type);
}
