import fc from 'fast-check';
import { filterFields } from '../../src/contract/schemas/filter.ts';
import { syntaxes } from '../e2e/hostile-calls.ts';
import { type Described, type Field, fieldsOf, type JsonSchema } from './described-operations.ts';

/** Values that exist, by the name of the field that they stand in. */
export type Pool = Readonly<Record<string, readonly unknown[]>>;

/** A request, before it becomes bytes. */
export type Draft = {
  method: string;
  /** Segments that stand for the placeholders of the path, encoded. */
  params: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  /** A JSON value, or text as it is. */
  body: { json: unknown } | { text: string } | null;
  slash: boolean;
};

/** The path of a draft, with its query. */
export function urlOf({ path }: Described, { params, query, slash }: Draft): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const search = query.map((pair) => pair.map(encode).join('=')).join('&');
  return (slash ? filled : filled.slice(0, -1)) + (search === '' ? '' : `?${search}`);
}

export function textOf({ body }: Draft): string | undefined {
  if (body === null) return undefined;
  return 'text' in body ? body.text : JSON.stringify(body.json);
}

/** Lone surrogates have no encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Requests as the document describes them, in either dialect. */
export function validDrafts(described: Described, pool: Pool): fc.Arbitrary<Draft> {
  const { method, params, query, body } = described;
  return fc.record({
    method: fc.constant(method),
    params: record(params, pool).map(encodedParams),
    query: record(query, pool).map((values) => queryPairs(query, values)),
    headers: headers(),
    body: body === null ? fc.constant(null) : record(body, pool).map((json) => ({ json })),
    slash: fc.boolean(),
  });
}

/** Requests in which one to three things are not as the document describes them. */
export function mutatedDrafts(described: Described, pool: Pool): fc.Arbitrary<Draft> {
  return validDrafts(described, pool).chain((draft) =>
    fc
      .array(mutation(described), { minLength: 1, maxLength: 3 })
      .map((mutations) => mutations.reduce((mutated, mutate) => mutate(mutated), draft)),
  );
}

type Mutation = (draft: Draft) => Draft;

function mutation({ params, query, body }: Described): fc.Arbitrary<Mutation> {
  const texts = hostileText();
  const names = (fields: readonly Field[]) => fields.map(({ name }) => name);
  const wrongBody = fc.oneof(
    fc.jsonValue().map((json) => ({ json })),
    fc
      .constantFrom('', ' ', '{', '{"a":1', '{"a":1,}', '[]', 'null', 'user_id=alex', '\uFEFF{}')
      .map((text) => ({ text })),
    fc.constantFrom('[', '{"AND":[').map((open) => ({ text: open.repeat(5_000) })),
  );
  const choices: fc.Arbitrary<Mutation>[] = [
    wrongBody.map((other) => (draft) => ({ ...draft, body: other })),
    types().map((type) => (draft) => withHeader(draft, 'Content-Type', type)),
    texts.map((key) => (draft) => withHeader(draft, 'Idempotency-Key', headerText(key))),
    fc.tuple(texts, texts).map(
      ([name, value]) =>
        (draft) =>
          withPair(draft, name, value),
    ),
    fc.tuple(strangeName(), fc.jsonValue()).map(([name, value]) => withMember(name, value)),
  ];
  if (params.length > 0) {
    choices.push(
      fc
        .tuple(fc.constantFrom(...names(params)), fc.oneof(rawSegment(), texts.map(encode)))
        .map(([name, raw]) => (draft) => ({ ...draft, params: { ...draft.params, [name]: raw } })),
    );
  }
  if (query.length > 0) {
    const value = fc.oneof(texts, fc.jsonValue({ maxDepth: 3 }).map(textOfJson));
    choices.push(
      fc.tuple(fc.constantFrom(...names(query)), value).map(
        ([name, text]) =>
          (draft) =>
            withPair(draft, name, text),
      ),
    );
  }
  if (body !== null && body.length > 0) {
    const field = fc.constantFrom(...names(body));
    const wrong = fc.tuple(field, hostileValue()).map(([name, value]) => withMember(name, value));
    const lacking = field.map((name) => withMember(name, undefined));
    choices.push(wrong, wrong, wrong, lacking);
  }
  return fc.oneof(...choices);
}

function withHeader(draft: Draft, name: string, value: string): Draft {
  return { ...draft, headers: { ...draft.headers, [name]: value } };
}

function withPair(draft: Draft, name: string, value: string): Draft {
  return { ...draft, query: [...draft.query, [name, value]] };
}

/** Undefined takes the member away. */
function withMember(name: string, value: unknown): Mutation {
  return (draft) => {
    const json = draft.body !== null && 'json' in draft.body ? draft.body.json : {};
    const members = Object.entries(json ?? {}).filter(([other]) => other !== name);
    return { ...draft, body: { json: Object.fromEntries([...members, [name, value]]) } };
  };
}

/** What a header can carry. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '~').slice(0, 300);
}

function types(): fc.Arbitrary<string> {
  return fc.constantFrom(
    'text/plain',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    'application/jsonp',
    'application/json; charset=latin1',
    'json',
    ';',
    'application/merge-patch+json',
    'APPLICATION/JSON ; x=y',
    'application/json,text/plain',
  );
}

function strangeName(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'source', '', 'account_id', 'caller'),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
}

/** Segments that no encoder makes. */
function rawSegment(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('%', '%2', '%ZZ', '%00', '%2F', '%2F..%2F', '%E0%A4%A', '%ED%A0%80', '%C0%AF'),
    fc.constantFrom('', '+', '%20', '%0d%0a', '*', '~', 'users', 'export', '{memory_id}', '%252F'),
    fc.array(fc.constantFrom('%', '2', 'F', 'f', '0', 'x', 'é'), { maxLength: 12 }).map(join),
  );
}

function join(parts: readonly string[]): string {
  return parts.join('');
}

function hostileText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...syntaxes, '\u0000', '\uD800', '\u202E', '👩‍👩‍👧‍👦', ' ', '-1', '1e999'),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(256, 2_001, 32_001).map((length) => 'ä'.repeat(length)),
  );
}

function hostileValue(): fc.Arbitrary<unknown> {
  return fc.oneof(
    hostileText(),
    fc.jsonValue({ maxDepth: 4 }),
    fc.constantFrom(null, true, -1, 0, 1.5, 1e308, 2 ** 53, [], {}, [null], [[]]),
    fc.constantFrom(
      'x'.repeat(100_001),
      Array.from({ length: 1_001 }, () => 'x'),
    ),
    fc.constantFrom({ __proto__: null, a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }),
    filters(),
  );
}

function headers(): fc.Arbitrary<Record<string, string>> {
  return fc.constantFrom<Record<string, string>>(
    {},
    { 'X-Mem0-Client': 'generated' },
    { 'Mem0-User-ID': '' },
  );
}

function encodedParams(values: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]) => [name, encode(String(value))]);
  return Object.fromEntries(entries);
}

function queryPairs(fields: readonly Field[], values: Record<string, unknown>): Draft['query'] {
  return fields.flatMap(({ name, json }) => {
    const value = values[name];
    if (value === undefined) return [];
    if (json) return [[name, JSON.stringify(value)]];
    const items = Array.isArray(value) ? value : [value];
    return items.map((item): [string, string] => [name, textOfJson(item)]);
  });
}

function textOfJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Required fields always, the others now and then. */
function record(fields: readonly Field[], pool: Pool): fc.Arbitrary<Record<string, unknown>> {
  const members = fields.map(({ name, schema, required }) => {
    const value = named(name, schema, pool);
    const sometimes = fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: value },
    );
    return [name, required ? value : sometimes] as const;
  });
  return fc.record(Object.fromEntries(members)).map(definedOnly);
}

function definedOnly(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** A value of a field: mostly one that exists. */
function named(name: string, schema: JsonSchema, pool: Pool): fc.Arbitrary<unknown> {
  if (name === 'filters') return fc.oneof(filters(), fc.constantFrom(...(pool.filters ?? [{}])));
  const own = typed(schema, pool);
  const known = pool[name];
  if (known === undefined) return own;
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: own },
  );
}

/** A value that the schema describes. */
function typed(schema: JsonSchema, pool: Pool): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return fc.oneof(...options.map((option) => typed(option, pool)));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => typed({ ...schema, type }, pool)));
  }
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integer(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'array':
      return array(schema, pool);
    case 'object':
      return object(schema, pool);
    case 'string':
      return string(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Small numbers mostly: pages far away are empty. */
function integer({ minimum = -1e9, maximum = 1e9 }: JsonSchema): fc.Arbitrary<number> {
  const small = fc.integer({
    min: Math.max(minimum, 0),
    max: Math.min(maximum, Math.max(minimum, 0) + 20),
  });
  return fc.oneof(
    { weight: 4, arbitrary: small },
    { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
  );
}

function array({ items = {}, minItems = 0 }: JsonSchema, pool: Pool): fc.Arbitrary<unknown[]> {
  return fc.array(typed(items, pool), { minLength: minItems, maxLength: minItems + 3 });
}

function object(schema: JsonSchema, pool: Pool): fc.Arbitrary<unknown> {
  if (schema.properties !== undefined) return record(fieldsOf(schema), pool);
  const keys = typed({ type: 'string', ...schema.propertyNames }, pool) as fc.Arbitrary<string>;
  const values = typed(schema.additionalProperties ?? {}, pool);
  return fc.dictionary(keys, values, { maxKeys: 3 });
}

function string(schema: JsonSchema): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 200 } = schema;
  if (format === 'uuid') return fc.uuid();
  if (format === 'date') return fc.date({ noInvalidDate: true }).map(dayOf);
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https', 'http'] });
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  const size = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, 40)) };
  return fc.oneof(
    fc.string(size),
    fc.string({ ...size, unit: 'grapheme' }),
    fc.lorem({ maxCount: 5 }),
  );
}

function dayOf(date: Date): string {
  const year = 2000 + (Math.abs(date.getUTCFullYear()) % 100);
  return `${year}${date.toISOString().slice(-20, -14)}`;
}

const filterNames = [...Object.keys(filterFields), 'memory_ids', 'metadata.a', 'colour'];
const filterOperators = [
  'eq',
  'ne',
  'in',
  'nin',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'icontains',
  '*',
  'like',
];

/** Filters as the language has them, and some that it does not. */
function filters(): fc.Arbitrary<unknown> {
  const scalar = fc.oneof(
    fc.constantFrom('alex', '*', '2026-03-14', '2026-03-14T09:26:53Z', true, false, 0, null),
    fc.string({ maxLength: 12 }),
  );
  const operand = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
  const compared = fc.dictionary(fc.constantFrom(...filterOperators), operand, { maxKeys: 2 });
  const { filter } = fc.letrec((tie) => ({
    clause: fc.dictionary(fc.constantFrom(...filterNames), fc.oneof(operand, compared), {
      maxKeys: 3,
    }),
    group: fc.dictionary(
      fc.constantFrom('AND', 'OR', 'NOT'),
      fc.oneof(fc.array(tie('filter'), { maxLength: 3 }), tie('filter')),
      { maxKeys: 2 },
    ),
    filter: fc.oneof({ depthSize: 'small' }, tie('clause'), tie('group')),
  }));
  return filter;
}
