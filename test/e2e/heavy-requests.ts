import fc from 'fast-check';
import { limits } from '../../src/contract/limits.ts';

/** A request that is allowed, and as large as what it carries may be. */
export type HeavyRequest = { method: string; path: string; json: object };

/** Whose memories fill the store. */
export const user_id = 'bench';

/** What a text consists of, again and again. */
export const units = [
  'I moved to Bern last May. ',
  'My sister Ann works at Acme in Oslo. ',
  'It is me, J. R. ',
  'password: ',
  'password',
  'sk-',
  'Bearer ',
  ':',
  '.',
  ' ',
  '\n',
  '\t',
  '-',
  '"',
  '“',
  "'",
  '2026-03-14 ',
  'last Friday ',
  '14.3.26 ',
  'tomorrow at 5, ',
  '12',
  '+49 30 1234 ',
  '4111 ',
  'a',
  'A',
  'é',
  'ß',
  'ﷺ',
  '私は東京に住んでいます。',
  '我住在北京。',
  'Я живу в Москве. ',
  '👩‍👩‍👧‍👦',
  '```\n',
  '`',
  '<',
  '<b>',
  '{"a":',
  '[',
  '(',
  '# ',
  '- one\n',
  '| a ',
  '> ',
  'http://a.b/',
  'J. ',
  'Dr. ',
  'z.B. ',
  '1. ',
  '\u200B',
  '\u0301',
  '\u{E0041}',
  '@x ',
  'a@b.co, ',
  'From now on you must ',
  'SYSTEM: ',
  'User: ',
  'no longer ',
  'not ',
  'because ',
  ', and ',
];

/** A text of this length that repeats up to three units. */
function textOf(chars: number): fc.Arbitrary<string> {
  const parts = fc.array(fc.tuple(fc.constantFrom(...units), fc.integer({ min: 1, max: 60 })), {
    minLength: 1,
    maxLength: 3,
  });
  const end = fc.constantFrom('', '“', '!', 'x');
  return fc.tuple(parts, end).map(([given, last]) => {
    const block = given.map(([unit, times]) => unit.repeat(times)).join('');
    const text = block.repeat(Math.ceil(chars / block.length)).slice(0, chars - last.length);
    return (text + last).toWellFormed();
  });
}

/** What one body may carry beside its longest texts. */
const totalMaxChars = 900_000;

function post(path: string, json: object): HeavyRequest {
  return { method: 'POST', path, json };
}

function addOf(content: fc.Arbitrary<string[]>, infer: boolean): fc.Arbitrary<HeavyRequest> {
  return content.map((texts) => {
    const messages = texts.map((text, at) => ({
      role: at % 4 === 3 ? 'assistant' : 'user',
      content: text,
    }));
    return post('/v1/memories/', { user_id: 'heavy', messages, infer });
  });
}

function adds(): fc.Arbitrary<HeavyRequest> {
  const one = (chars: number) => textOf(chars).map((text) => [text]);
  const many = fc
    .tuple(fc.integer({ min: 2, max: limits.messages_max }), textOf(limits.message_max_chars))
    .map(([count, text]) => {
      const chars = Math.min(text.length, Math.floor(totalMaxChars / count));
      return Array.from({ length: count }, (_, at) =>
        `${at} ${text.slice(0, chars - 5)}`.toWellFormed(),
      );
    });
  return fc.oneof(
    addOf(one(limits.memory_text_max_chars), false),
    addOf(one(limits.message_max_chars), true),
    addOf(many, true),
    addOf(many, false),
  );
}

/** As many conditions as a filter may have of those that look into texts, or of all. */
function filters(): fc.Arbitrary<object> {
  const scan = fc.constantFrom<(text: string) => object>(
    (text: string) => ({ text: { icontains: text } }),
    (text: string) => ({ text: { contains: text } }),
    (text: string) => ({ keywords: { contains: text } }),
    (text: string) => ({ keywords: [text] }),
    (text: string) => ({ metadata: { [text.slice(0, 50)]: text } }),
    (text: string) => ({ categories: { contains: text } }),
  );
  const word = fc.oneof(
    fc.lorem({ maxCount: 3 }),
    fc.integer({ min: 1, max: 200 }).chain((chars) => textOf(chars)),
  );
  const scans = fc
    .tuple(scan, fc.array(word, { minLength: 1, maxLength: limits.filter_max_scans }))
    .map(([make, words]) => words.map((word) => make(word)));
  const ids = fc
    .integer({ min: 1, max: limits.filter_values_max })
    .map((count) => [{ id: { in: Array.from({ length: count }, (_, at) => `id ${at}`) } }]);
  const times = fc.integer({ min: 1, max: limits.filter_max_clauses - 3 }).map((count) =>
    Array.from({ length: count }, (_, at) => ({
      created_at: { gte: `20${10 + (at % 90)}-01-01` },
    })),
  );
  const group = fc.constantFrom('AND', 'OR');
  const negated = fc.boolean();
  return fc
    .tuple(group, fc.oneof(scans, scans, ids, times), negated)
    .map(([name, conditions, isNot]) => {
      const some = { [name]: conditions };
      return { AND: [{ user_id }, isNot ? { NOT: [some] } : some] };
    });
}

function reads(): fc.Arbitrary<HeavyRequest> {
  const query = fc.oneof(
    textOf(limits.query_max_chars),
    fc.lorem({ mode: 'sentences', maxCount: 20 }),
  );
  const short = query.map((text) => text.slice(0, limits.query_max_chars).toWellFormed());
  const top_k = fc.constantFrom(10, limits.top_k_max);
  const threshold = fc.constantFrom(0, 0.3);
  const plain = fc.constant({ user_id });
  const search = fc
    .record({ query: short, filters: fc.oneof(plain, filters()), top_k, threshold })
    .map((body) => post('/v2/memories/search/', body));
  const page = fc.constantFrom(1, 2, 20);
  const list = fc
    .record({
      filters: fc.oneof(plain, filters()),
      page,
      page_size: fc.constant(limits.page_size_max),
    })
    .map((body) => post('/v2/memories/', body));
  const count = fc.integer({ min: 1, max: 50 });
  const exported = fc.tuple(count, filters()).map(([fields, given]) => {
    const names = Array.from({ length: fields }, (_, at) => `favourite_thing_${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    return post('/v1/exports/', { schema: { type: 'object', properties }, filters: given });
  });
  return fc.oneof({ weight: 6, arbitrary: search }, { weight: 4, arbitrary: list }, exported);
}

function changes(ids: readonly string[]): fc.Arbitrary<HeavyRequest> {
  const some = fc.integer({ min: 1, max: limits.batch_size_max });
  const texts = textOf(800);
  const batch = fc.tuple(some, texts, fc.nat()).map(([count, text, salt]): HeavyRequest => {
    const memories = ids
      .slice(0, count)
      .map((memory_id, at) => ({ memory_id, text: `${salt} ${at} ${text}` }));
    return { method: 'PUT', path: '/v1/batch/', json: { memories } };
  });
  const one = fc.tuple(fc.constantFrom(...ids), textOf(limits.memory_text_max_chars)).map(
    ([id, text]): HeavyRequest => ({
      method: 'PUT',
      path: `/v1/memories/${id}/`,
      json: { text },
    }),
  );
  return fc.oneof(batch, one);
}

/** Requests of any operation whose cost grows with what they carry. */
export function heavyRequests(ids: readonly string[]): fc.Arbitrary<HeavyRequest> {
  return fc.oneof(
    { weight: 4, arbitrary: adds() },
    { weight: 6, arbitrary: reads() },
    { weight: 1, arbitrary: changes(ids) },
  );
}
