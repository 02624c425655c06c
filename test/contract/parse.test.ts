import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import { contract, type OperationName } from '../../src/contract.ts';

const id = '11111111-1111-4111-8111-111111111111';

function parse(name: OperationName, raw: unknown): unknown {
  const record: Operation = contract[name];
  return parseInput(record, raw);
}

function problemsOf(name: OperationName, raw: unknown): Record<string, string[]> {
  try {
    parse(name, raw);
  } catch (error) {
    if (error instanceof ApiError && error.fields) return error.fields;
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('an input that could not be kept as it is', () => {
  it('is refused where a whole number of the metadata would lose digits', () => {
    const large = JSON.parse('{"guild":{"id":[123456789012345678]}}');
    const problem = 'holds a whole number beyond 9007199254740991; write it as text';

    const added = problemsOf('add_memory', { text: 'x', user_id: 'a', metadata: large });
    const found = problemsOf('search_memories', {
      query: 'x',
      filters: { metadata: { guild: 123456789012345680 } },
    });

    expect(added).toEqual({ metadata: [problem] });
    expect(JSON.stringify(found)).toContain('a whole number beyond 9007199254740991');
  });

  it('keeps numbers that lose nothing', () => {
    const metadata = { a: 9007199254740991, b: -9007199254740991, c: 0.1, d: 1e300 };

    const input = parse('add_memory', { text: 'x', user_id: 'a', metadata });

    expect(input).toMatchObject({ metadata });
  });

  it.each(['.', '..'])('is refused with an owner that no path can name: %s', (user_id) => {
    expect(problemsOf('add_memory', { text: 'x', user_id })).toHaveProperty('user_id');
  });
});

describe('an input as shipped clients send it', () => {
  it('may hold keys that nobody knows, which are ignored', () => {
    const raw = { query: 'tea', source: 'CLI', score_debug: true, deduced_memories: [] };

    expect(parse('search_memories', raw)).not.toHaveProperty('source');
  });

  it('may send null for a field it leaves out', () => {
    const raw = { text: 'x', user_id: 'a', agent_id: null, metadata: null, infer: null };

    expect(parse('add_memory', raw)).not.toHaveProperty('agent_id');
  });

  it('may send null to clear an expiry', () => {
    expect(parse('update_memory', { memory_id: id, expiration_date: null })).toMatchObject({
      expiration_date: null,
    });
  });

  it('may say limit for top_k and for page_size', () => {
    expect(parse('search_memories', { query: 'x', limit: 3 })).toMatchObject({ top_k: 3 });
    expect(parse('get_memories', { limit: '5' })).toMatchObject({ page_size: 5 });
  });

  it('may send messages as JSON text of a list or of one message', () => {
    const list = [
      { role: 'human', content: 'I live in Turku' },
      { role: 'assistant', tool_calls: [{ id: '1' }] },
    ];
    const read = [
      { role: 'user', content: 'I live in Turku' },
      { role: 'assistant', content: '' },
    ];

    for (const name of ['add_memory', 'get_context'] as const) {
      const messagesOf = (messages: string) => parse(name, { messages, user_id: 'a' });
      expect(messagesOf(` ${JSON.stringify(list, null, 2)}\n`)).toMatchObject({ messages: read });
      expect(messagesOf(JSON.stringify(list[0]))).toMatchObject({ messages: [read[0]] });
    }
    expect(problemsOf('add_memory', { messages: '[]', user_id: 'a' })).toEqual({
      messages: ['must hold at least one message'],
    });
    const unknown = JSON.stringify([{ role: 'Ada', content: 'Hi' }]);
    expect(problemsOf('add_memory', { messages: unknown, user_id: 'a' })).toHaveProperty([
      'messages.0.role',
    ]);
  });

  it.each([
    '["I like tea", "I like jam"]',
    '[{"role":"user"}]',
    '{"likes":"tea"}',
    '[{"role":"user","content":"I like tea"}',
    '[1] I like tea',
    '12',
  ])('means one message with the text %s', (content) => {
    expect(parse('add_memory', { messages: content, user_id: 'a' })).toMatchObject({
      messages: [{ role: 'user', content }],
    });
  });

  it('may send lists as JSON text, and one id without a list', () => {
    const [text, other] = ['x', '22222222-2222-4222-8222-222222222222'];
    const list = JSON.stringify([id, other]);
    const updates = JSON.stringify([{ memory_id: id, text }]);

    expect(parse('search_memories', { query: 'x', categories: '["a,b","c"]' })).toMatchObject({
      categories: ['a,b', 'c'],
    });
    expect(parse('get_memories', { fields: '["id","memory"]' })).toMatchObject({
      fields: ['id', 'memory'],
    });
    for (const name of ['batch_delete_memories', 'erase_memories'] as const) {
      expect(parse(name, { memory_ids: list })).toMatchObject({ memory_ids: [id, other] });
      expect(parse(name, { memory_ids: id })).toMatchObject({ memory_ids: [id] });
      expect(problemsOf(name, { memory_ids: '12345678' })).toHaveProperty(['memory_ids.0']);
    }
    expect(parse('batch_update_memories', { memories: updates })).toMatchObject({
      memories: [{ memory_id: id, text }],
    });
    const custom_categories = '[{"food":"what they eat"},{"work":"their job"}]';
    expect(parse('add_memory', { text, user_id: 'a', custom_categories })).toMatchObject({
      custom_categories: { food: 'what they eat', work: 'their job' },
    });
  });

  it('may send messages as one string or one object', () => {
    const one = [{ role: 'user', content: 'hello' }];

    expect(parse('add_memory', { messages: 'hello', user_id: 'a' })).toMatchObject({
      messages: one,
    });
    expect(parse('add_memory', { messages: one[0], user_id: 'a' })).toMatchObject({
      messages: one,
    });
  });

  it('may send content in parts, of which text is kept and others are counted', () => {
    const content = [
      { type: 'text', text: 'Look at this' },
      { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
      'and that',
    ];

    expect(
      parse('add_memory', { messages: [{ role: 'user', content }], user_id: 'a' }),
    ).toMatchObject({
      messages: [{ role: 'user', content: 'Look at this\nand that', skipped_parts: 1 }],
    });
  });

  it('may put the scope of an add into filters', () => {
    expect(parse('add_memory', { messages: 'x', filters: { user_id: 'alice' } })).toMatchObject({
      user_id: 'alice',
    });
  });

  it('may send memories with ids where memory_ids is meant', () => {
    expect(parse('batch_delete_memories', { memories: [{ memory_id: id }] })).toMatchObject({
      memory_ids: [id],
    });
  });

  it('may nest text and metadata in an update', () => {
    const raw = { memory_id: id, text: { text: 'new', metadata: { a: 1 } } };

    expect(parse('update_memory', raw)).toMatchObject({ text: 'new', metadata: { a: 1 } });
  });

  it('may send metadata and filters as JSON text, and flags and numbers as text', () => {
    const raw = {
      metadata: '{"a":1}',
      filters: '{"user_id":"x"}',
      page: '2',
      show_expired: 'true',
    };

    expect(parse('get_memories', raw)).toMatchObject({
      metadata: { a: 1 },
      filters: { user_id: 'x' },
      page: 2,
      show_expired: true,
    });
  });

  it('may send a turn without content, as one that calls tools', () => {
    const turn = { role: 'assistant', content: '' };
    const messages = [
      { role: 'assistant', content: null, tool_calls: [{}] },
      { role: 'assistant', tool_calls: [{}] },
      { role: 'assistant', function_call: { name: 'get_weather' } },
    ];

    expect(parse('add_memory', { messages, user_id: 'a' })).toMatchObject({
      messages: [turn, turn, turn],
    });
    expect(
      problemsOf('add_memory', { messages: [{ role: 'assistant' }], user_id: 'a' }),
    ).toHaveProperty(['messages.0.content']);
  });

  it.each([
    [1_700_000_000, 1_700_000_000],
    [1_700_000_000.25, 1_700_000_000.25],
    ['1700000000', 1_700_000_000],
    ['2023-11-14T22:13:20Z', 1_700_000_000],
    ['2023-11-14T23:13:20.250+01:00', 1_700_000_000.25],
    ['1970-01-02', 86_400],
  ])('may send the time %j in any common form', (timestamp, seconds) => {
    const added = parse('add_memory', { text: 'x', user_id: 'a', timestamp });
    const updated = parse('update_memory', { memory_id: id, timestamp });

    expect([added, updated]).toMatchObject([{ timestamp: seconds }, { timestamp: seconds }]);
  });

  it('may send the reference date of a search in seconds', () => {
    const reference_date = 1_700_000_000;

    expect(parse('search_memories', { query: 'x', reference_date })).toMatchObject({
      reference_date: '2023-11-14T22:13:20.000Z',
    });
    expect(problemsOf('search_memories', { query: 'x', reference_date: 1e20 })).toHaveProperty(
      'reference_date',
    );
  });

  it('may send custom categories as an array of one-key objects', () => {
    const raw = {
      text: 'x',
      user_id: 'a',
      custom_categories: [{ food: 'meals' }, { work: 'jobs' }],
    };

    expect(parse('add_memory', raw)).toMatchObject({
      custom_categories: { food: 'meals', work: 'jobs' },
    });
  });

  it('may not send ever so many of them', () => {
    const custom_categories = Array.from({ length: 200_000 }, (_, at) => ({ [`c${at}`]: 'x' }));

    expect(problemsOf('add_memory', { text: 'x', user_id: 'a', custom_categories })).toEqual({
      custom_categories: ['at most 100 categories'],
    });
  });
});

describe('what an input names by path or scope', () => {
  const places = {
    memory_id: id,
    memory_ids: [id],
    org_id: 'mine',
    project_id: 'mine',
    user_id: 'mine',
    agent_id: 'mine',
    app_id: 'mine',
    run_id: 'mine',
  };
  const nested = Object.fromEntries(Object.keys(places).map((field) => [field, 'other']));
  const tolerant = Object.entries<Operation>(contract).filter(([, { normalize }]) => normalize);

  it.each(tolerant)('is not for what is nested in it to change: %s', (_name, record) => {
    for (const field of Object.keys(record.input.shape)) {
      if (field in places) continue;

      for (const value of [nested, [nested], JSON.stringify(nested)]) {
        expect(record.normalize?.({ ...places, [field]: value })).toMatchObject(places);
      }
    }
  });

  it('decides which memory an update is about', () => {
    const raw = { memory_id: id, text: { text: 'new', memory_id: 'other', expiration_date: null } };

    expect(parse('update_memory', raw)).toEqual({ memory_id: id, text: 'new' });
    expect(problemsOf('update_memory', { memory_id: id, text: { timestamp: 1 } })).toEqual({
      text: [
        'nothing to update: send text, metadata, categories, expiration_date, pinned, ' +
          'valid_from or valid_until',
      ],
    });
  });
});

describe('a wrong input', () => {
  it('gives text or messages to an add, not both: one would be dropped in silence', () => {
    const problems = problemsOf('add_memory', { text: 'x', messages: 'y', user_id: 'a' });

    expect(problems).toEqual({ messages: [expect.stringContaining('text')] });
  });

  it('holds no text when nobody could see it', () => {
    for (const text of ['', ' \n', '\u200B\u200D', '\uFEFF \u2060']) {
      const problems = problemsOf('add_memory', { text, user_id: 'a' });
      expect(problems).toEqual({ text: ['must hold text'] });
    }
  });

  it('holds a number that no number can hold', () => {
    const metadata = JSON.parse('{"sizes":[1,1e400]}');

    expect(problemsOf('add_memory', { text: 'x', user_id: 'a', metadata })).toEqual({
      metadata: ['holds a number that is too large'],
    });
  });

  it('is answered with every field that is wrong', () => {
    const problems = problemsOf('add_memory', {
      messages: [{ role: 'user', content: 'ok' }, { content: 7 }],
      user_id: 12,
      timestamp: 'yesterday',
    });

    expect(Object.keys(problems).sort()).toEqual([
      'messages.1.content',
      'messages.1.role',
      'timestamp',
      'user_id',
    ]);
    expect(problems['user_id']).toEqual([expect.stringContaining('string')]);
    expect(problems['messages.1.role']).toEqual(['is required: a string']);
  });

  it.each([
    ['usr', 'user'],
    ['uesr', 'user'],
    ['assistent', 'assistant'],
    ['asistant', 'assistant'],
    ['Sytem', 'system'],
    ['tools', 'tool'],
  ])('is the role %s, which is meant to be %s', (role, meant) => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role, content: 'I live in Rome' },
    ];

    expect(problemsOf('add_memory', { messages, user_id: 'a' })).toEqual({
      'messages.1.role': [expect.stringContaining(` is not a role. Did you mean "${meant}"? `)],
    });
  });

  it.each(['Ada', 'narrator', '用户'])('is the role %s, which is like none', (role) => {
    const input = { messages: [{ role, content: 'I live in Rome' }], user_id: 'a' };
    const roles =
      'The roles are user and assistant; system, developer, tool and function state no facts';

    expect(problemsOf('add_memory', input)).toEqual({
      'messages.0.role': [`"${role}" is not a role. ${roles}`],
    });
    expect(problemsOf('get_context', input)).toHaveProperty(['messages.0.role']);
  });

  it.each([
    ['user', ['user', 'User', 'human', 'HUMAN', 'customer', 'client', 'me']],
    ['assistant', ['assistant', 'Assistant', 'ai', 'AI', 'model', 'bot', 'chatbot', 'agent']],
    ['system', ['system', 'System']],
    ['developer', ['developer']],
    ['tool', ['tool', 'TOOL']],
    ['tool_response', ['tool_response', 'tool-response']],
    ['function', ['function']],
    ['data', ['data']],
    ['ipython', ['ipython']],
    ['observation', ['observation']],
  ])('is no word for the role %s: %j', (role, words) => {
    for (const word of words) {
      const messages = [{ role: word, content: 'I live in Rome' }];

      expect(parse('add_memory', { messages, user_id: 'a' })).toMatchObject({
        messages: [{ role, content: 'I live in Rome' }],
      });
    }
  });

  it('holds a text that is too long for one message', () => {
    const content = 'a'.repeat(100_001);
    const stored = { text: content, user_id: 'a' };
    const verbatim = { messages: [{ role: 'user', content: 'a'.repeat(32_001) }], infer: false };

    expect(
      problemsOf('add_memory', { messages: [{ role: 'user', content }], user_id: 'a' }),
    ).toEqual({
      'messages.0.content': [
        'holds 100001 characters; at most 100000; send it as several messages',
      ],
    });
    expect(problemsOf('add_memory', stored)).toEqual({
      text: ['holds 100001 characters; at most 32000; send it as several messages'],
    });
    expect(problemsOf('add_memory', { ...verbatim, user_id: 'a' })).toEqual({
      'messages.0.content': ['holds 32001 characters; at most 32000; send it as several messages'],
    });
  });

  it('asks for a field that memories do not have', () => {
    const listed = problemsOf('get_memories', { user_id: 'a', fields: ['memroy'] });
    const found = problemsOf('search_memories', { query: 'x', fields: 'memory, createdAt' });

    expect(listed['fields']).toEqual([
      expect.stringMatching(
        /^"memroy" is not a field\. Did you mean "memory"\? Fields: id, memory,/,
      ),
    ]);
    expect(found['fields']).toEqual([expect.stringContaining('Did you mean "created_at"?')]);
    expect(
      parse('search_memories', { query: 'x', fields: ['memory', 'score', 'score_breakdown'] }),
    ).toHaveProperty('fields');
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['text', 'x'],
    ['a number', 1],
  ])('is refused when it is %s', (_what, raw) => {
    expect(() => parse('add_memory', raw)).toThrow('JSON object');
  });

  it('is metadata to match that no filter can be made of', () => {
    for (const name of ['search_memories', 'get_memories', 'delete_all_memories'] as const) {
      const problems = problemsOf(name, { query: 'tea', user_id: 'a', metadata: { tags: [] } });

      expect(problems.metadata).toEqual([expect.stringMatching(/metadata\.tags.*1000/)]);
    }
  });

  it.each([
    ['yesterday', 'must be Unix seconds or a date-time (ISO 8601)'],
    [1.7e12, 'must be at most 253402300799'],
    [-1, 'must be at least 0'],
  ])('is the time %j', (timestamp, problem) => {
    const problems = problemsOf('update_memory', { memory_id: id, timestamp });

    expect(problems.timestamp).toEqual([problem]);
  });

  it('never repeats what the caller sent', () => {
    const problems = problemsOf('update_memory', { memory_id: 'my-password-123', text: 'x' });

    expect(JSON.stringify(problems)).not.toContain('my-password');
  });
});
