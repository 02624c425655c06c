import * as z from 'zod';
import { isObject } from '../contract/is-object.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * The schema that agents see of one input field: type, description, choices and bounds. What else
 * the contract checks (lengths, formats, patterns) costs tokens on every turn and is said by the
 * error that a wrong value gets.
 */
export const fieldSchema = remembered((field: z.ZodType): JsonSchema => simplify(toJson(field)));

/** True when a call may leave the field out. */
export const isOptional = remembered(
  (field: z.ZodType): boolean => field.safeParse(undefined).success,
);

/** Types of the answer's own fields; what is inside them stays open. */
export const outputSchema = remembered((output: z.ZodObject): JsonSchema => {
  const properties = Object.entries(output.shape).map(([name, field]) => {
    const { type, items, anyOf } = toJson(field);
    if (type === 'array') return [name, { type, ...(isObject(items) && { items: kindOf(items) }) }];
    if (type !== undefined) return [name, { type }];
    // What can be anything stays without a type: an export's data is null until it is done.
    return [name, Array.isArray(anyOf) ? { type: typesOf(anyOf) } : {}];
  });
  return Object.fromEntries(properties);
});

function kindOf({ type }: JsonSchema): JsonSchema {
  return type === undefined ? {} : { type };
}

/**
 * Schemas of the contract never change, and over HTTP every client asks for all of them: to make
 * them took 40 ms of the processor each time.
 */
function remembered<S extends z.core.$ZodType, T>(make: (schema: S) => T): (schema: S) => T {
  const known = new WeakMap<S, { value: T }>();
  return (schema) => {
    const before = known.get(schema);
    if (before !== undefined) return before.value;
    const value = make(schema);
    known.set(schema, { value });
    return value;
  };
}

function toJson(schema: z.core.$ZodType): JsonSchema {
  const made: unknown = z.toJSONSchema(schema, {
    io: 'output', // what a preprocessed field reads can be anything; what it makes of it is typed
    unrepresentable: 'any',
  });
  return isObject(made) ? made : {};
}

/** The keywords that stay, in the order they read best. */
const kept = ['description', 'enum', 'minimum', 'maximum'] as const;

function simplify(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (Array.isArray(anyOf)) return simplify({ ...withoutNull(anyOf), ...rest });
  const simple: Record<string, unknown> = { type: schema.type };
  for (const keyword of kept) {
    if (schema[keyword] !== undefined) simple[keyword] = schema[keyword];
  }
  if (isObject(schema.items)) simple.items = simplify(schema.items);
  if (isObject(schema.properties)) Object.assign(simple, members(schema));
  return simple;
}

function members({ properties, required }: JsonSchema): JsonSchema {
  const shown = Object.entries(properties as Record<string, JsonSchema>).filter(
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
function withoutNull(branches: readonly unknown[]): JsonSchema {
  return branches.filter(isObject).find((branch) => branch.type !== 'null') ?? {};
}

function typesOf(branches: readonly unknown[]): unknown[] {
  return branches.filter(isObject).map(({ type }) => type);
}
