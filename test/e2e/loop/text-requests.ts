import fc from 'fast-check';
import { limits } from '../../../src/contract/limits.ts';
import type { Described, Field } from '../../rest/described-operations.ts';
import { type Draft, type Pool, textOf, urlOf, validDrafts } from '../../rest/random-requests.ts';
import { rounds } from '../../support/rounds.ts';
import type { Text } from './text-classes.ts';
import { type TextField, textFieldsOf } from './text-fields.ts';

/** Whose request it is, and what this user has. */
export type Scope = { user_id: string; ids: readonly string[]; pool: Pool };

/** A request that carries a text, and can be sent by several. */
export type TextRequest = {
  operation: string;
  /** Its operation and field, and how many texts of how many characters. */
  about: string;
  /** Another text of the kind, for memories beside which it is sent. */
  beside(chars: number): string;
  of(scope: Scope): { method: string; url: string; body: string | undefined };
};

/** They empty or move the place that the others work in, or need what is not there. */
const elsewhere =
  /^(?:review_|delete_|erase_|undo_|batch_delete)|organization|project|member|invitation|webhook|key|back_up|get_export/;

/** What a body may have but for its names and brackets; by day a tenth, to take no minutes. */
const bodyMaxBytes = rounds < 20 ? 400_000 : 4_000_000;
const queryMaxChars = 2_000;

export type Choice = {
  fields: ReadonlyMap<string, readonly TextField[]>;
  texts: fc.Arbitrary<Text>;
  /** Which requests: it is asked about `add_memory messages[].content infer true` and the like. */
  asked: RegExp;
};

/** What a request is like but for its text. */
type Kind = { field: TextField; infer: boolean };

/** The fields of all operations, by operation. */
export function textFields(all: readonly Described[]): Map<string, TextField[]> {
  const kept = all.filter(({ operation }) => !elsewhere.test(operation));
  const found = new Map<string, TextField[]>();
  for (const field of kept.flatMap(textFieldsOf)) {
    const { operation } = field.described;
    found.set(operation, [...(found.get(operation) ?? []), field]);
  }
  return found;
}

/** Requests of any of the operations, with a text of the greatest length in any of its fields. */
export function textRequests({ fields, texts, asked }: Choice): fc.Arbitrary<TextRequest> {
  const operations = [...fields.values()]
    .map((some) => some.flatMap(kindsOf).filter((kind) => asked.test(nameOf(kind))))
    .filter((kinds) => kinds.length > 0)
    .map((kinds) => ({
      weight: Math.ceil(Math.log2(Math.max(...kinds.map(weightOf)))) + 1,
      arbitrary: fc.oneof(
        ...kinds.map((kind) => ({ weight: weightOf(kind), arbitrary: fc.constant(kind) })),
      ),
    }));
  if (operations.length === 0) throw new Error(`MNEME_TEST_OPERATION: none matches ${asked}`);
  return fc
    .record({
      kind: fc.oneof(...operations),
      text: texts,
      isMany: rarely(10),
      hasOptions: rarely(3),
      seed: fc.nat(),
    })
    .map(requestOf);
}

function kindsOf(field: TextField): Kind[] {
  return [true, false].map((infer) => ({ field, infer }));
}

/** Its operation and field, and whether it is inferred where that can be said. */
function nameOf({ field, infer }: Kind): string {
  const { described, name, within } = field;
  const inferred = isMessages(field) ? ` infer ${infer}` : '';
  return `${described.operation} ${name}${within}${inferred}`;
}

function isMessages({ described, name }: TextField): boolean {
  return described.operation === 'add_memory' && name === 'messages';
}

/** The longer a text may be, the more there is to find. */
function weightOf({ field: { isLimited, maxChars } }: Kind): number {
  return isLimited ? Math.ceil(Math.sqrt(maxChars)) : 1;
}

function rarely(every: number): fc.Arbitrary<boolean> {
  return fc.nat(every - 1).map((at) => at === 0);
}

type Drawn = {
  kind: Kind;
  text: Text;
  isMany: boolean;
  hasOptions: boolean;
  seed: number;
};

function requestOf(drawn: Drawn): TextRequest {
  const { kind, text, isMany } = drawn;
  const { field } = kind;
  const chars = charsFor(kind);
  const first = fitting(text.of(chars), field);
  const isInQuery = field.place === 'query';
  const written = isInQuery ? encodeURIComponent(first) : JSON.stringify(first);
  const room = (isInQuery ? queryMaxChars : bodyMaxBytes) / (Buffer.byteLength(written) + 60);
  const most = isMany ? Math.min(field.maxTexts, Math.floor(room)) : 1;
  const texts = [first];
  for (let at = 1; at < most; at += 1) texts.push(fitting(text.of(chars), field));
  return {
    about: `${nameOf(kind)}: ${texts.length} x ${first.length} of ${text.about}`,
    operation: field.described.operation,
    beside: text.of,
    of: (scope) => sentBy(scope, drawn, texts),
  };
}

function charsFor({ field, infer }: Kind): number {
  const isVerbatim = isMessages(field) && !infer;
  return isVerbatim ? Math.min(field.maxChars, limits.memory_text_max_chars) : field.maxChars;
}

/** As much of it as the place takes where that is counted in bytes. */
function fitting(text: string, { place, within, maxChars }: TextField): string {
  const maxBytes = place === 'query' ? queryMaxChars : within.endsWith('{}') ? maxChars : null;
  if (maxBytes === null) return text;
  const size = Buffer.byteLength(encodeURIComponent(text));
  return size <= maxBytes
    ? text
    : text.slice(0, Math.floor((text.length * maxBytes) / size) - 1).toWellFormed();
}

function sentBy(scope: Scope, drawn: Drawn, texts: readonly string[]) {
  const { kind, hasOptions, seed } = drawn;
  const { field } = kind;
  const { described, name, place } = field;
  const [draft] = fc.sample(validDrafts(withKnown(described, scope.pool), scope.pool), {
    numRuns: 1,
    seed,
  });
  if (draft === undefined) throw new Error('no draft');
  const value = field.holding(texts, scope.ids);
  const fixed = fixedOf(kind, scope);
  const body =
    described.body === null
      ? null
      : { json: { ...membersOf(draft, described, hasOptions), ...fixed, [name]: value } };
  const isJson = described.query.some((one) => one.name === name && one.json);
  const items = isJson ? [JSON.stringify(value)] : [value].flat().map(asText);
  const inQuery =
    place === 'query' ? items.map((item): [string, string] => [name, item]) : draft.query;
  const whole: Draft = {
    ...draft,
    headers: {},
    query: inQuery,
    body: place === 'body' ? body : draft.body,
  };
  return {
    method: draft.method,
    url: urlOf(described, whole),
    body: draft.method === 'GET' ? undefined : textOf(whole),
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Of the draft's members those that must be there, or all. */
function membersOf({ body }: Draft, described: Described, hasOptions: boolean): object {
  const members = body !== null && 'json' in body ? Object.entries(body.json ?? {}) : [];
  const required = (described.body ?? []).filter((field) => field.required);
  const names = new Set(required.map((field) => field.name));
  return Object.fromEntries(members.filter(([name]) => hasOptions || names.has(name)));
}

/** Its values are those that are there, wherever some are known; there are other tests of others. */
function withKnown(described: Described, pool: Pool): Described {
  const known = (fields: readonly Field[]) =>
    fields
      .filter(({ name, required }) => required || name !== 'filters')
      .map((field): Field => {
        const values = pool[field.name];
        return values === undefined ? field : { ...field, schema: { enum: [...values] } };
      });
  const { params, query, body } = described;
  return {
    ...described,
    params: known(params),
    query: known(query),
    body: body === null ? null : known(body),
  };
}

/** Whose it is, for all that take it; memories are stored as they are, or inferred. */
function fixedOf({ field, infer }: Kind, { user_id, pool }: Scope) {
  const { described, name } = field;
  const takes = (wanted: string) => (described.body ?? []).find((one) => one.name === wanted);
  const messages = name === 'text' ? undefined : [{ role: 'user', content: 'I live in Bern.' }];
  return {
    ...(takes('user_id') !== undefined && { user_id }),
    ...(takes('filters')?.required && { filters: pool['filters']?.[0] }),
    ...(described.operation === 'add_memory' && { infer, messages, text: undefined }),
  };
}
