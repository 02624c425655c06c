/** One hostile call; the arguments are JSON text, because some have no JavaScript value. */
export type HostileCall = { about: string; json: string };

type JsonSchema = {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
};

/** Words that mean something to SQL, to full text search or to JSON paths. */
export const syntaxes = [
  '"',
  "'",
  '*',
  '"unbalanced',
  'tea*',
  'tea AND',
  'OR',
  'NOT NOT tea',
  'NEAR(tea green, 5)',
  'terms : tea',
  '^tea',
  'tea + green',
  '{terms speaker} : (tea)',
  '- tea',
  '(((((tea',
  "'; DROP TABLE memories; --",
  "tea' OR '1'='1",
  '") or 1=1 --',
  '%',
  '_',
  '\\',
  '$.metadata',
  '$[0]',
  '$(rm -rf .)',
  '{{constructor.constructor("return process")()}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '%00%0d%0a',
  '%E0%A4%A',
];

const strings = [
  '',
  ' ',
  '\n\t',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '1e999',
  '0x10',
  '[]',
  '{}',
  'x'.repeat(256),
  'x'.repeat(2001),
  'x'.repeat(32_001),
  'x'.repeat(100_001),
  '\u0000',
  'a\u0000b',
  '\u0001\u0008\u001B[31m\u007F',
  '\u202Eevil\u2066',
  '\u{E0041}\u{E0042}',
  '\uD800',
  'a\uDC00b',
  '\uDFFF\uD800',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(50),
  '\uFEFF',
  'ﷺ',
  '\u2028',
  '2026-13-45',
  '9999999-01-01',
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '00000000-0000-4000-8000-000000000000',
  '{00000000-0000-4000-8000-000000000000}',
  ...syntaxes,
].map((text) => JSON.stringify(text));

const numbers = ['-1', '0', '-0', '1.5', '1e999', '-1e999', '9007199254740992', '1e308', '5e-324'];

const structures = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"":""}',
  nested('[', ']', 50),
  nested('{"a":', '}', 50),
  nested('{"AND":[', ']}', 50),
  nested('{"NOT":', '}', 50),
  nested('[', ']', 100_000),
  nested('{"a":', '}', 100_000),
  JSON.stringify(Array.from({ length: 20_000 }, (_, index) => index)),
  JSON.stringify(Array.from({ length: 2_000 }, () => 'x'.repeat(30))),
  JSON.stringify({ OR: Array.from({ length: 500 }, () => ({ user_id: 'x' })) }),
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"hasOwnProperty":1,"toString":null,"valueOf":"x"}',
  '[{"__proto__":{"role":"user","content":"x"}}]',
  '{"length":100000}',
];

const filters = [
  '{"AND":[]}',
  '{"OR":[{}]}',
  '{"NOT":{}}',
  '{"AND":null}',
  '{"XOR":[]}',
  '{"user_id":{}}',
  '{"user_id":{"$ne":null}}',
  '{"user_id":{"in":[]}}',
  '{"user_id":{"in":"a,b"}}',
  '{"created_at":{"gte":"tomorrow"}}',
  '{"created_at":1e999}',
  '{"immutable":"maybe"}',
  '{"metadata":{"__proto__":1}}',
  '{"metadata.__proto__.x":1}',
  '{"metadata.":1}',
  '{"metadata":{"a\\"b":1}}',
  '{"metadata.a.b.c.d.e.f.g.h":1}',
  '{"metadata":{"a":1e999}}',
  '{"categories":{"in":[null]}}',
  '{"keywords":{"eq":5}}',
  '{"text":{"contains":""}}',
  ...syntaxes.map((text) => JSON.stringify({ text: { icontains: text }, keywords: text })),
  ...syntaxes.map((text) => JSON.stringify({ metadata: { [text]: { gte: text } } })),
  ...syntaxes.map((text) => JSON.stringify({ [text]: text })),
];

/** Every hostile value in every field of a tool, the others being as in a call that succeeds. */
export function hostileCalls(schema: JsonSchema, valid: Record<string, unknown>): HostileCall[] {
  const { properties = {}, required = [] } = schema;
  const base = Object.entries(valid).map(([name, value]) => [name, JSON.stringify(value)] as const);
  const calls = Object.entries(properties).flatMap(([name, field]) =>
    valuesFor(name, field).map((json) => {
      const others = base.filter(([other]) => other !== name);
      return { about: `${name}: ${json}`, json: objectJson([...others, [name, json]]) };
    }),
  );
  const lacking = required.map((name) => ({
    about: `without ${name}`,
    json: objectJson(base.filter(([other]) => other !== name)),
  }));
  const foreign = ['__proto__', 'constructor', 'toString', '', 'x'.repeat(100_001), '\u0000'];
  const strange = foreign.map((name) => ({
    about: `an argument named ${JSON.stringify(name).slice(0, 40)}`,
    json: objectJson([...base, [name, '{"polluted":true}']]),
  }));
  return [...calls, ...lacking, ...strange];
}

function valuesFor(name: string, { type, items }: JsonSchema): string[] {
  const inner = type === 'array' && items ? membersOf(items) : [];
  return [...strings, ...numbers, ...structures, ...inner, ...(name === 'filters' ? filters : [])];
}

/** Lists of one item that has one hostile member. */
function membersOf({ properties }: JsonSchema): string[] {
  const few = [...strings, ...numbers, ...structures];
  if (properties === undefined) return few.map((json) => `[${json}]`);
  const valid = Object.keys(properties).map((name) => [name, '"x"'] as const);
  return Object.keys(properties).flatMap((name) =>
    few.map(
      (json) => `[${objectJson([...valid.filter(([other]) => other !== name), [name, json]])}]`,
    ),
  );
}

function objectJson(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

function nested(open: string, close: string, levels: number): string {
  return `${open.repeat(levels)}${open === '{"a":' || open === '{"NOT":' ? '1' : ''}${close.repeat(levels)}`;
}
