import * as z from 'zod';
import { isObject } from '../../contract/is-object.ts';
import type { Operation } from '../../contract/operation.ts';
import { parseIfJson } from '../../contract/schemas/json.ts';
import { isShortId } from '../../contract/short-id.ts';
import { contract, isOperationName, type OperationName } from '../../contract.ts';
import { unknownNameError } from './find-command.ts';
import type { FlagKinds } from './flags.ts';

/** A field of an operation's input, as the command line shows and reads it. */
export type OperationField = {
  name: string;
  about: string;
  required: boolean;
  schema: FieldSchema;
};

type FieldSchema = {
  type?: string | string[];
  anyOf?: FieldSchema[];
  enum?: unknown[];
  items?: FieldSchema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
  description?: string;
};

/** The operation of that name. Throws `invalid` with a suggestion when there is none. */
export function resolveOperationName(name: string): OperationName {
  if (isOperationName(name)) return name;
  throw unknownNameError(name, { kind: 'operation', known: Object.keys(contract) });
}

/** Fields that callers may set, without those that only routes fill in. */
export function operationFields({ input }: Operation): OperationField[] {
  const schema = z.toJSONSchema(input, { unrepresentable: 'any', io: 'output' });
  // The schemas of our own types are objects; none of their members is a boolean schema.
  const properties = (schema.properties ?? {}) as Record<string, FieldSchema>;
  return Object.entries(input.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    if (field.meta()?.internal === true) return [];
    const about = properties[name]?.description ?? field.description ?? '';
    const required = !field.safeParse(undefined).success;
    return [{ name, about, required, schema: properties[name] ?? {} }];
  });
}

/** Flags for fields: `--top-k 5`, `--infer`, `--metadata.topic work`. */
export function fieldFlags(fields: readonly OperationField[]): FlagKinds {
  return Object.fromEntries(
    fields.map(({ name, schema }) => [name, schema.type === 'boolean' ? 'switch' : 'text']),
  );
}

/**
 * The input that flags describe. Text is parsed as JSON where the field is not text and the value
 * is valid JSON; dots set keys of objects.
 */
export function inputFromFlags(
  flags: Readonly<Record<string, string | boolean>>,
  fields: readonly OperationField[],
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [path, flag] of Object.entries(flags)) {
    const [root = '', ...keys] = path.split('.');
    const field = fields.find(({ name }) => name === root);
    if (field === undefined) continue;
    const value = typeof flag === 'string' ? parseFieldText(field, flag, keys.length > 0) : flag;
    setPath(input, [root, ...keys], value);
  }
  return input;
}

/** More would make the column wider than the screen: the errors of a field list them. */
const shownValuesMax = 12;

/** The type of a field, in words. */
export function describeType({ anyOf, enum: values, type, items }: FieldSchema): string {
  if (anyOf) return anyOf.map(describeType).join(' or ');
  if (values && values.length <= shownValuesMax) return values.map(String).join(' | ');
  if (values) return 'name';
  if (type === 'array') return `list${items ? ` of ${describeType(items)}` : ''}`;
  const name = type === 'string' ? 'text' : (type ?? 'JSON');
  return [name].flat().join(' or ');
}

/** The limits of a field, in words. */
export function describeLimits(schema: FieldSchema): string {
  const { minimum, maximum, maxLength, maxItems, default: value } = schema;
  const range = maximum !== undefined && minimum !== undefined ? `${minimum} to ${maximum}` : null;
  const parts = [
    range,
    maxLength === undefined ? null : `at most ${maxLength} characters`,
    maxItems === undefined ? null : `at most ${maxItems} items`,
    value === undefined ? null : `default ${JSON.stringify(value)}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function parseFieldText(field: OperationField, text: string, nested: boolean): unknown {
  // A short id such as 123456e7 looks like a number with an exponent.
  if (nested && isShortId(text) && /e/i.test(text)) return text;
  const types = schemaTypes(field.schema);
  if (nested || !types.includes('string')) return parseIfJson(text);
  return text === 'null' && types.includes('null') ? null : text;
}

function schemaTypes({ type, anyOf = [], enum: values }: FieldSchema): string[] {
  const types = type ?? (values ? 'string' : []);
  return [...[types].flat(), ...anyOf.flatMap(schemaTypes)];
}

/** Own properties only, so that a key such as `__proto__` stays a key. */
function setPath(target: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  const [key = '', ...rest] = keys;
  const old = Object.hasOwn(target, key) ? target[key] : undefined;
  const inner = rest.length === 0 ? value : isObject(old) ? old : {};
  Object.defineProperty(target, key, {
    value: inner,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  if (rest.length > 0 && isObject(inner)) setPath(inner, rest, value);
}
