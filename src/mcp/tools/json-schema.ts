import * as z from 'zod';
import { isObject } from '../../contract/is-object.ts';

export type ToolSchema = { readonly [keyword: string]: unknown };

/**
 * The schema that agents see of one input field: type, description, choices and bounds. What else
 * the contract checks (lengths, formats, patterns) costs tokens on every turn and is said by the
 * error that a wrong value gets.
 */
export const toolFieldSchema = memoizeBySchema(
  (field: z.ZodType): ToolSchema => simplify(toToolSchema(field)),
);

/** True when a call may leave the field out. */
export const isOptionalField = memoizeBySchema(
  (field: z.ZodType): boolean => field.safeParse(undefined).success,
);

/** Types of the answer's own fields; what is inside them stays open. */
export const toolOutputSchema = memoizeBySchema((output: z.ZodObject): ToolSchema => {
  const properties = Object.entries(output.shape).map(([name, field]) => {
    const { type, items, anyOf } = toToolSchema(field);
    if (type === 'array')
      return [name, { type, ...(isObject(items) && { items: typeOnly(items) }) }];
    if (type !== undefined) return [name, { type }];
    // What can be anything stays without a type: an export's data is null until it is done.
    return [name, Array.isArray(anyOf) ? { type: branchTypes(anyOf) } : {}];
  });
  return Object.fromEntries(properties);
});

function typeOnly({ type }: ToolSchema): ToolSchema {
  return type === undefined ? {} : { type };
}

/**
 * Schemas of the contract never change, and over HTTP every client asks for all of them: to make
 * them took 40 ms of the processor each time.
 */
function memoizeBySchema<S extends z.core.$ZodType, T>(make: (schema: S) => T): (schema: S) => T {
  const known = new WeakMap<S, { value: T }>();
  return (schema) => {
    const before = known.get(schema);
    if (before !== undefined) return before.value;
    const value = make(schema);
    known.set(schema, { value });
    return value;
  };
}

function toToolSchema(schema: z.core.$ZodType): ToolSchema {
  const made: unknown = z.toJSONSchema(schema, {
    io: 'output', // what a preprocessed field reads can be anything; what it makes of it is typed
    unrepresentable: 'any',
  });
  return isObject(made) ? made : {};
}

/** The keywords that stay, in the order they read best. */
const keptKeywords = ['description', 'enum', 'minimum', 'maximum'] as const;

function simplify(schema: ToolSchema): ToolSchema {
  const { anyOf, ...rest } = schema;
  if (Array.isArray(anyOf)) return simplify({ ...withoutNull(anyOf), ...rest });
  const simple: Record<string, unknown> = { type: schema.type };
  for (const keyword of keptKeywords) {
    if (schema[keyword] !== undefined) simple[keyword] = schema[keyword];
  }
  if (isObject(schema.items)) simple.items = simplify(schema.items);
  if (isObject(schema.properties)) Object.assign(simple, objectMembers(schema));
  return simple;
}

function objectMembers({ properties, required }: ToolSchema): ToolSchema {
  const shown = Object.entries(properties as Record<string, ToolSchema>).filter(
    ([, member]) => member.internal !== true,
  );
  const names = shown.map(([name]) => name);
  const needed = Array.isArray(required) ? required.filter((name) => names.includes(name)) : [];
  return {
    properties: Object.fromEntries(shown.map(([name, member]) => [name, simplify(member)])),
    ...(needed.length > 0 && { required: needed }),
  };
}

/** Null stays allowed when a tool is called; saying so would take a union. */
function withoutNull(branches: readonly unknown[]): ToolSchema {
  return branches.filter(isObject).find((branch) => branch.type !== 'null') ?? {};
}

function branchTypes(branches: readonly unknown[]): unknown[] {
  return branches.filter(isObject).map(({ type }) => type);
}
