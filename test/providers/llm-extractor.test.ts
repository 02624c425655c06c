import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import type { TokenUsageTable } from '../../src/core/ports/index.ts';
import {
  createTokens,
  decisions,
  inOrder,
  promptIn,
  scripted,
  told,
} from '../support/language-model.ts';

const paris = { id: 'id-paris', memory: 'User lives in Paris' };

describe('a conversation that a language model reads', () => {
  it('takes one call, and becomes decisions about messages by their number', async () => {
    const { server, read } = await scripted({ llm_api_key: 'k-1' });
    server.reply = inOrder(
      decisions(
        { text: 'User has a cat called Miso', message: 1, type: 'fact' },
        {
          text: 'User flies to Lisbon on 2026-03-04',
          message: 3,
          when: '2026-03-04',
          type: 'plan',
        },
      ),
    );

    const understanding = await read({
      messages: [
        'My cat is called Miso, she has a bell',
        { role: 'assistant', content: 'How nice!' },
        'On the 4th of March I fly to Lisbon',
      ],
    });

    expect(understanding).toMatchObject({ by: 'tiny', notice: null });
    expect(understanding.decisions).toMatchObject([
      { event: 'ADD', text: 'User has a cat called Miso', message: 0, type: 'fact' },
      {
        event: 'ADD',
        message: 2,
        type: 'plan',
        occurred: { at: '2026-03-04T00:00:00.000Z', granularity: 'day' },
        said: 'On the 4th of March I fly to Lisbon',
      },
    ]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer k-1');
    expect(server.requests[0]?.body).toMatchObject({ model: 'tiny', temperature: 0 });
  });

  it.each([
    ['I worked at Acme until March 2024.', 'User worked at Acme', null, '2024-03-01'],
    ['Seit Mai 2021 ist Köln mein Zuhause.', 'Köln ist Zuhause', '2021-05-01', null],
    ['I lived in Oslo 2019-2021, lovely.', 'User lived in Oslo', '2019-01-01', '2022-01-01'],
  ])('"%s" says when it is true, whatever the model writes', async (said, text, from, until) => {
    const { server, read } = await scripted();
    server.reply = inOrder(decisions({ text, message: 1, type: 'fact' }));

    const [decision] = (await read({ messages: [said] })).decisions;

    const instant = (day: string | null) => day && `${day}T00:00:00.000Z`;
    expect(decision?.validity).toEqual({
      valid_from: instant(from),
      valid_until: instant(until),
    });
  });

  it('a date that only the model states does not say when something is true', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(
      decisions({ text: 'User lives in Cologne since May 2021', message: 1, type: 'fact' }),
    );

    const [decision] = (await read({ messages: ['I live in Cologne.'] })).decisions;

    expect(decision).not.toHaveProperty('validity');
  });

  it('tells what it has cost: calls, tokens and time', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(decisions());

    const { cost } = await read({ messages: ['I like tea'] });

    expect(cost).toEqual({ calls: 1, input_tokens: 100, output_tokens: 20, ms: 0 });
  });

  it('counts tokens itself where the server does not', async () => {
    const { server, read } = await scripted();
    server.reply = () => {
      return { status: 200, body: { choices: [{ message: { content: '{"decisions": []}' } }] } };
    };

    const { cost } = await read({ messages: ['I like tea'] });

    expect(cost?.input_tokens).toBeGreaterThan(300);
    expect(cost?.output_tokens).toBeGreaterThan(3);
  });

  it('gives known memories short ids, and takes them back as ids', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(
      decisions({
        event: 'UPDATE',
        text: 'User lives in Rome',
        memory: 'm2',
      }),
    );

    const understanding = await read({
      messages: ['I moved from Paris to Rome and live there now'],
      known: [{ id: 'id-tea', memory: 'User likes tea' }, paris],
    });

    const { user } = promptIn(server.requests[0]);
    expect(user).toContain('{"id":"m2","memory":"User lives in Paris","since":"2026-01-01"}');
    expect(user).not.toContain('id-paris');
    expect(understanding.decisions).toMatchObject([
      { event: 'UPDATE', target: 'id-paris', text: 'User lives in Rome' },
    ]);
  });

  it('leaves what fills the same slot where the model calls it new, and names it', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(decisions({ text: 'User lives in Rome', message: 1 }));
    const known = [{ ...paris, slot: 'user:lives_in' }];

    const own = await read({ messages: ['I live in Rome'], known });
    const others = await read({
      messages: [{ role: 'assistant', content: 'So you live in Rome' }],
      known,
    });

    expect(own.decisions).toMatchObject([{ event: 'ADD', slot: null, may_replace: ['id-paris'] }]);
    expect(others.decisions).toMatchObject([{ event: 'ADD', slot: null }]);
    expect(others.decisions[0]).not.toHaveProperty('may_replace');
  });

  it('knows when it was said, and who speaks', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(decisions());

    await read({
      messages: [{ role: 'user', name: 'Anna', content: 'See you tomorrow in Bonn' }],
      said_at: '2025-06-03T10:00:00.000Z',
    });

    const { user } = promptIn(server.requests[0]);
    expect(user).toContain('on Tuesday, 2025-06-03T10:00:00.000Z');
    expect(user).toContain('"name":"Anna"');
  });

  it('passes on what whoever adds wants remembered, and how', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(
      decisions({ text: 'User likes tea', categories: ['drinks', 'made up', 'drinks'] }),
    );

    const understanding = await read({
      messages: ['I like tea'],
      settings: {
        includes: 'tastes',
        excludes: 'health',
        instructions: 'Be brief',
        categories: { drinks: 'what they drink', work: 'their job' },
      },
    });

    const { system } = promptIn(server.requests[0]);
    expect(system).toContain('Remember in particular: tastes');
    expect(system).toContain('Never remember: health');
    expect(system).toContain('Be brief');
    expect(system).toContain('drinks: what they drink\nwork: their job');
    expect(understanding.decisions[0]?.categories).toEqual(['drinks']);
  });

  it('leaves out messages that are instructions or answers of tools, and asks about none', async () => {
    const { server, read } = await scripted();

    const understanding = await read({
      messages: [
        { role: 'system', content: 'Be kind' },
        { role: 'tool', name: 'get_weather', content: '{"temperature": 3}' },
        { role: 'observation', content: 'I live in Paris.' },
        { role: 'data', content: 'I like snails.' },
        { role: 'tool', content: '' },
        { role: 'tool', content: 'I like jazz.' },
        { role: 'user', content: '  ' },
      ],
    });

    const dropped = { system: [0], tool: [1, 5], observation: [2], data: [3] };
    expect(understanding).toMatchObject({ decisions: [], by: 'tiny', notice: null, dropped });
    expect(server.requests).toEqual([]);
  });

  it('keeps the language of the messages', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(
      decisions({ text: 'User wohnt seit Jahren in Köln' }),
      decisions({ text: 'ユーザーは東京に住んでいます' }),
    );

    const german = await read({ messages: ['Ich wohne seit Jahren in Köln und mag das Bier.'] });
    const japanese = await read({ messages: ['私は東京に住んでいます。'] });

    expect(german.decisions).toMatchObject([{ event: 'ADD' }]);
    expect(japanese.decisions).toMatchObject([{ event: 'ADD' }]);
  });
});

describe('answers in every form', () => {
  const likesTea = { event: 'ADD', text: 'User likes tea', message: 1 };
  const json = JSON.stringify({ decisions: [likesTea] });

  it.each([
    ['fenced', `Here you are:\n\`\`\`json\n${json}\n\`\`\`\nAnything else?`],
    ['fenced without a language', `\`\`\`\n${json}\n\`\`\``],
    ['after some words', `Sure! ${json}`],
    ['after thoughts', `<think>{"decisions": hm}</think>\n${json}`],
    ['as a bare list', JSON.stringify([likesTea])],
    ['with a number as text', json.replace('1', '"1"')],
    ['with null for none', json.replace('}', ',"memory":null,"when":null,"categories":null}')],
    ['with a type and a date that do not exist', json.replace('}', ',"type":"odd","when":"soon"}')],
    ['in parts', [{ type: 'text', text: json }]],
  ])('are read %s', async (_, content) => {
    const { server, read } = await scripted();
    server.reply = inOrder(told(content));

    const { decisions: found, notice } = await read({ messages: ['I like tea'] });

    expect(found).toMatchObject([{ event: 'ADD', text: 'User likes tea' }]);
    expect(notice).toBeNull();
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['is cut off', '{"decisions": [{"event": "ADD", "text": "User li', 'no valid JSON'],
    ['is prose', 'I have noted that you like tea.', 'no valid JSON'],
    ['has wrong types', json.replace('"User likes tea"', '7'), 'decisions.0.text'],
    ['has an unknown event', json.replace('ADD', 'DROP TABLE'), 'decisions.0.event'],
    ['holds no list', '{"decisions": "none"}', 'must be an object with an array'],
    ['holds a far too long text', json.replace('tea', 'tea '.repeat(500)), 'decisions.0.text'],
  ])('that one %s is told to the model, which answers again', async (_, content, problem) => {
    const { server, read } = await scripted();
    server.reply = inOrder(told(content), decisions(likesTea));

    const { decisions: found, notice } = await read({ messages: ['I like tea'] });

    expect(found).toMatchObject([{ event: 'ADD', text: 'User likes tea' }]);
    expect(notice).toBeNull();
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(server.requests[1]?.body)).toContain(problem);
  });

  it('keep what can be used of a second bad one, and say so', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(decisions(likesTea, { event: 'ADD', text: 7 }));

    const { decisions: found, notice } = await read({ messages: ['I like tea'] });

    expect(found).toMatchObject([{ event: 'ADD', text: 'User likes tea' }]);
    expect(notice).toContain("a part of its answer can't be used: decisions.1.text");
  });

  it('that name a message that is not there are taken for the one that says it', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(decisions({ text: 'User likes tea', message: 99 }));

    const { decisions: found } = await read({ messages: ['I own a boat', 'I like tea'] });

    expect(found).toMatchObject([{ event: 'ADD', message: 1 }]);
  });
});

describe('when the model gives nothing usable', () => {
  it.each([
    ['refuses', told(null, { message: { refusal: 'I can not' } }), 'it refused to answer'],
    ['is filtered', told('', { finish_reason: 'content_filter' }), 'it refused to answer'],
    ['answers nothing twice', told(''), "its answer can't be used"],
    ['answers without choices', { status: 200, body: { choices: [] } }, "its answer can't be used"],
    ['answers what is no JSON', { status: 200, text: '<html>' }, "its answer can't be used"],
    ['refuses the key', { status: 401 }, 'llm_api_key is missing or wrong'],
    ['does not know the model', { status: 404 }, 'llm_url and llm_model'],
  ])('because it %s, rules read the messages, with a notice', async (_, reply, reason) => {
    const { server, read } = await scripted();
    server.reply = () => reply;

    const understanding = await read({ messages: ['I like tea'] });

    expect(understanding.decisions).toMatchObject([{ event: 'ADD', text: 'I like tea' }]);
    expect(understanding.by).toBe('rules');
    expect(understanding.notice).toContain('rules read the messages instead of the language model');
    expect(understanding.notice).toContain(reason);
    expect(understanding.cost?.calls).toBeGreaterThan(0);
  });

  it('10 megabytes are read no further than 2, and count as no answer', async () => {
    const { server, read } = await scripted();
    const huge = told(`{"decisions": [${'{"event": "ADD"},'.repeat(600_000)}`);
    server.reply = () => huge;

    const understanding = await read({ messages: ['I like tea'] });

    expect(JSON.stringify(huge.body).length).toBeGreaterThan(10_000_000);
    expect(understanding.by).toBe('rules');
    expect(understanding.notice).toContain("its answer can't be used");
  });

  it('a connection that is closed is tried again', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder('closed', decisions({ text: 'User likes tea' }));

    const understanding = await read({ messages: ['I like tea'] });

    expect(understanding).toMatchObject({ by: 'tiny', notice: null });
  });

  it.each([429, 500, 503])('%i is tried again, as late as the server asks', async (status) => {
    const { server, read } = await scripted();
    server.reply = inOrder(
      { status, headers: { 'Retry-After': '0' } },
      decisions({ text: 'User likes tea' }),
    );

    const understanding = await read({ messages: ['I like tea'] });

    expect(understanding).toMatchObject({ by: 'tiny', notice: null });
    expect(server.requests).toHaveLength(2);
  });

  it('one that never answers is given up when the budget of time is over', async () => {
    const { server, read } = await scripted({ llm_timeout_ms: 100 });
    server.reply = () => 'never';

    const understanding = await read({ messages: ['I like tea'] });

    expect(understanding.by).toBe('rules');
    expect(understanding.notice).toContain('longer than the 300 ms that an add may take');
  });

  it('one that does not answer is left alone for half a minute', async () => {
    const { server, clock, read } = await scripted();
    server.reply = () => ({ status: 401 });
    await read({ messages: ['I like tea'] });
    server.reply = inOrder(decisions({ text: 'User likes milk' }));

    const soon = await read({ messages: ['I like milk'] });
    clock.advance(31_000);
    const later = await read({ messages: ['I like milk'] });

    expect(soon.notice).toContain('was unreachable a moment ago');
    expect(soon.cost?.calls).toBe(0);
    expect(later.by).toBe('tiny');
  });

  it('what is stopped meanwhile is stopped, and not read by rules', async () => {
    const { server, read } = await scripted();
    const stopping = new AbortController();
    server.reply = () => {
      stopping.abort(new Error('the server is shutting down'));
      return 'never';
    };

    const reading = read({ messages: ['I like tea'], signal: stopping.signal });

    await expect(reading).rejects.toThrow('shutting down');
  });
});

describe('servers that understand less', () => {
  const answer = decisions({ text: 'User likes tea' });

  it('are asked for JSON without a schema, then in words only, and not tried again', async () => {
    const { server, read } = await scripted();
    server.reply = ({ body }) =>
      'response_format' in body ? { status: 400, body: { error: 'response_format?' } } : answer;

    const first = await read({ messages: ['I like tea'] });
    await read({ messages: ['I like tea'] });

    const formats = server.requests.map(
      ({ body }) => (body.response_format as { type: string } | undefined)?.type,
    );
    expect(first).toMatchObject({ by: 'tiny', notice: null });
    expect(formats).toEqual(['json_schema', 'json_object', undefined, undefined]);
  });

  it.each([
    ['max_tokens', "Use 'max_completion_tokens' instead of 'max_tokens'", 'max_completion_tokens'],
    ['temperature', "'temperature' does not support 0 with this model", 'max_tokens'],
  ])('are asked without %s', async (field, message, kept) => {
    const { server, read } = await scripted();
    server.reply = ({ body }) =>
      field in body ? { status: 400, body: { error: { message } } } : answer;

    const understanding = await read({ messages: ['I like tea'] });

    expect(understanding).toMatchObject({ by: 'tiny', notice: null });
    expect(server.requests.at(-1)?.body).toHaveProperty(kept);
    expect(server.requests.at(-1)?.body).toHaveProperty('response_format.type', 'json_schema');
  });

  it('and refuse everything are told of', async () => {
    const { server, read } = await scripted();
    server.reply = () => ({ status: 400, body: { error: 'no' } });

    const understanding = await read({ messages: ['I like tea'] });

    expect(understanding.notice).toContain('the language model returned status 400');
    expect(server.requests.length).toBeLessThan(8);
  });
});

describe('long conversations', () => {
  const turns = Array.from({ length: 40 }, (_, turn) =>
    `In year ${turn} I sold ${turn} boats. `.repeat(20),
  );

  it('are read in parts that fit, each message once', async () => {
    const { server, read } = await scripted({ llm_input_tokens: 3000 });
    server.reply = inOrder(decisions());

    const { cost } = await read({ messages: turns });

    const numbers = server.requests.flatMap((request) =>
      [...promptIn(request).user.matchAll(/"message":(\d+)/g)].map(([, number]) => Number(number)),
    );
    expect(numbers).toEqual(turns.map((_, index) => index + 1));
    expect(cost?.calls).toBe(server.requests.length);
    expect(server.requests.length).toBeGreaterThan(3);
  });

  it('one message that is longer than a request is cut at its sentences', async () => {
    const { server, read } = await scripted({ llm_input_tokens: 2000 });
    server.reply = inOrder(decisions());
    const text = Array.from({ length: 500 }, (_, index) => `I own boat number ${index}.`).join(' ');

    await read({ messages: [text] });

    const parts = server.requests.map((request) => {
      const [, part = ''] = /"text":"([^"]*)"/.exec(promptIn(request).user) ?? [];
      return part;
    });
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    expect(parts.every((part) => part.trim().endsWith('.'))).toBe(true);
  });

  it('later parts know what earlier ones came to', async () => {
    const { server, read } = await scripted({ llm_input_tokens: 1500 });
    server.reply = inOrder(
      decisions(
        { text: 'User sold 1 boats', message: 2 },
        { event: 'UPDATE', text: 'User owns 0 boats now', memory: 'm1', message: 1 },
      ),
      decisions(),
    );

    await read({ messages: turns, known: [{ id: 'id-boats', memory: 'User owns 90 boats' }] });

    const { user } = promptIn(server.requests[1]);
    expect(user).toContain('"User sold 1 boats"');
    expect(user).toContain('"memory":"User owns 0 boats now"');
  });

  it.each([
    ['its answer has no room', told('{"decisions": [', { finish_reason: 'length' })],
    ['the model has no room', { status: 400, body: { error: 'maximum context length is 512' } }],
  ])('a part is read in halves where %s', async (_, full) => {
    const { server, read } = await scripted();
    server.reply = (request) => {
      const isLong =
        promptIn(request).user.includes('I like tea') &&
        promptIn(request).user.includes('own a boat');
      if (isLong) return full;
      return promptIn(request).user.includes('I like tea')
        ? decisions({ text: 'User likes tea', message: 1 })
        : decisions({ text: 'User owns a boat', message: 2 });
    };

    const understanding = await read({ messages: ['I like tea', 'I own a boat'] });

    expect(understanding.notice).toBeNull();
    expect(understanding.decisions).toMatchObject([{ message: 0 }, { message: 1 }]);
    expect(server.requests).toHaveLength(3);
  });

  it('rules read what tokens are not left for', async () => {
    const { server, read } = await scripted({ llm_input_tokens: 3000 });
    server.reply = () => ({ ...told('{"decisions": []}'), ...spending(150_000) });

    const understanding = await read({ messages: turns });

    expect(understanding.by).toBe('tiny');
    expect(understanding.notice).toContain('rules read a part of the messages');
    expect(understanding.notice).toContain('the tokens of one add are used up');
    expect(server.requests).toHaveLength(2);
    expect(understanding.decisions.length).toBeGreaterThan(10);
  });

  it('rules read everything once the tokens of the day are spent, until the next day', async () => {
    const { server, clock, read } = await scripted({ llm_daily_tokens: 1000 });
    server.reply = () => ({ ...told('{"decisions": []}'), ...spending(1000) });
    await read({ messages: ['I like tea'] });

    const spent = await read({ messages: ['I like tea'] });
    clock.advance(24 * 60 * 60 * 1000);
    const nextDay = await read({ messages: ['I like tea'] });

    expect(spent).toMatchObject({ by: 'rules' });
    expect(spent.notice).toContain('llm_daily_tokens is used up');
    expect(nextDay.by).toBe('tiny');
  });

  it('nothing is lost while the store can not count, and it is counted later', async () => {
    const counted = createTokens();
    let isBusy = true;
    const whenFree = <T>(count: () => Promise<T>): Promise<T> => {
      return isBusy ? Promise.reject(new ApiError('unavailable', 'the store is busy')) : count();
    };
    const tokens: TokenUsageTable = {
      getUsage: (day) => whenFree(() => counted.getUsage(day)),
      addUsage: (day, count) => whenFree(() => counted.addUsage(day, count)),
    };
    const { server, clock, read } = await scripted({ llm_daily_tokens: 2500 }, tokens);
    server.reply = () => ({ ...told('{"decisions": []}'), ...spending(1000) });

    const first = await read({ messages: ['I like tea'] });
    isBusy = false;
    const second = await read({ messages: ['I like tea'] });
    const later = await counted.getUsage(clock.now().slice(0, 'YYYY-MM-DD'.length));
    isBusy = true;
    const third = await read({ messages: ['I like tea'] });
    const fourth = await read({ messages: ['I like tea'] });

    expect([first.by, second.by, third.by]).toEqual(['tiny', 'tiny', 'tiny']);
    expect(later).toBe(2000);
    expect(fourth.notice).toContain('llm_daily_tokens is used up');
  });
});

function spending(prompt_tokens: number) {
  const { body } = told('{"decisions": []}');
  return { body: { ...(body as object), usage: { prompt_tokens, completion_tokens: 0 } } };
}
