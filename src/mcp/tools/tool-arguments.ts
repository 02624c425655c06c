import type * as z from 'zod';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { faceFields, faceFieldsOf, type ToolRecord } from './select-tools.ts';

/** The arguments that this face reads itself; none of them reaches an operation. */
export type FaceArguments = {
  response_format: 'concise' | 'detailed' | undefined;
  dry_run: boolean;
  confirm: string | undefined;
};

/** Splits the arguments of a call. Throws `invalid` on an unknown name. */
export function readToolArguments(
  record: ToolRecord,
  raw: unknown,
): { own: FaceArguments; input: Record<string, unknown> } {
  if (raw !== undefined && !isObject(raw)) throw invalid('arguments', 'must be an object');
  const faceFieldNames: readonly string[] = faceFieldsOf(record);
  const entries = Object.entries(record.tool.normalize?.(raw ?? {}) ?? raw ?? {});
  const names = allowedArgumentNames(record);
  const input = entries.filter(
    ([name, value]) =>
      !faceFieldNames.includes(name) && (names.includes(name) || !isCallersOwn(name, value)),
  );
  for (const [name, value] of input) {
    if (!names.includes(name) && !isNormalizedName(record, name, value)) {
      throw unknownArgument(record, name, names);
    }
  }
  const mine = Object.fromEntries(entries.filter(([name]) => faceFieldNames.includes(name)));
  return { own: readFaceArguments(mine), input: Object.fromEntries(input) };
}

/** Words that models write if they have no value. */
const blankWords = ['', 'null', 'none', 'undefined', 'nil', 'n/a'];

/**
 * The arguments without those that hold nothing but a word for nothing: stored, such an id would
 * hide a memory from every later search. What a call needs stays and is judged by its schema. A
 * bulk delete refuses them, as it would delete more without them.
 */
export function withoutBlanks({ operation, tool }: ToolRecord, raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const shape: Record<string, z.ZodType> = operation.input.shape;
  const blanks = Object.keys(raw).filter((name) => isBlank(raw[name]));
  const [first] = blanks;
  if (first === undefined) return raw;
  if (tool.confirm !== undefined) {
    throw invalid(first, `must not be ${JSON.stringify(raw[first])}; leave it out instead`);
  }
  const absent = blanks.filter((name) => shape[name]?.safeParse(undefined).success !== false);
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !absent.includes(name)));
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && blankWords.includes(value.trim().toLowerCase());
}

/** Fields that clients and frameworks add to each call for themselves, such as its id. */
const clientNames = new Set(
  'toolCallId tool_call_id callId requestId sessionId random_string chatInput _meta'.split(' '),
);

/** All tools of the hosted service take what called them; only an add keeps it. */
function isCallersOwn(name: string, value: unknown): boolean {
  if (clientNames.has(name)) return true;
  if (name !== 'source') return false;
  if (typeof value === 'string' || value === null) return true;
  throw invalid(name, 'must be a string');
}

function unknownArgument(record: ToolRecord, name: string, allowed: readonly string[]): ApiError {
  const fields = [...record.tool.fields, ...faceFieldsOf(record)];
  const label = name.slice(0, 60);
  return new ApiError(
    'invalid',
    `unknown argument ${JSON.stringify(label)} of ${record.name}.${didYouMean(name, allowed)} ` +
      `Allowed: ${fields.join(', ')}`,
  );
}

/** Fields that a tool does not list are accepted too, except those that only routes fill in. */
function allowedArgumentNames({ operation }: ToolRecord): string[] {
  const shape: Record<string, z.ZodType> = operation.input.shape;
  const open = Object.entries(shape).filter(([, field]) => field.meta()?.internal !== true);
  return [...open.map(([name]) => name), ...Object.keys(operation.aliases ?? {})];
}

/** A foreign name is accepted when the operation converts it to another field. */
function isNormalizedName({ operation }: ToolRecord, name: string, value: unknown): boolean {
  const fields = operation.normalize?.({ [name]: value }) ?? {};
  return Object.keys(fields).some((other) => other !== name);
}

function readFaceArguments(raw: Record<string, unknown>): FaceArguments {
  const read = <T>(name: keyof typeof faceFields, schema: z.ZodType<T>): T | undefined => {
    const value = raw[name];
    if (value === undefined || value === null) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw invalid(name, parsed.error.issues[0]?.message ?? 'is invalid');
  };
  return {
    response_format: read('response_format', faceFields.response_format),
    dry_run: read('dry_run', faceFields.dry_run) ?? false,
    confirm: read('confirm', faceFields.confirm),
  };
}
