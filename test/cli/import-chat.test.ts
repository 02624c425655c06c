import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitIntoChunks } from '../../src/conversations/chunks.ts';
import { serve } from './serve-support.ts';
import { type RunOptions, runIn, temporaryFolder } from './support.ts';

const user = { MNEME_USER_ID: 'ann' };

function prepared() {
  const home = temporaryFolder();
  const run = runIn(home);
  const write = (name: string, content: unknown) => {
    const file = join(home, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const imported = async (args: string[], options: RunOptions = { env: user }) => {
    const { code, stdout, stderr } = await run(['import', ...args, '--json'], options);
    // After two seconds, which a busy machine may take, it says how far it is.
    const problems = stderr.replace(/^read .* conversations, .*\n/gm, '');
    expect({ code, problems }).toEqual({ code: 0, problems: '' });
    return JSON.parse(stdout);
  };
  const memories = async (env: Record<string, string> = user) => {
    const { stdout } = await run(['call', 'get_memories'], { env });
    return JSON.parse(stdout).results;
  };
  return { home, run, write, imported, memories };
}

const march = Date.parse('2024-03-05T18:00:00Z') / 1000;

function chat(id: string, said: readonly string[], created_at = march) {
  const messages = said.flatMap((content) => [
    { role: 'user', content },
    { role: 'assistant', content: 'I see.' },
  ]);
  return { id, title: `About ${id}`, created_at, messages };
}

describe('mneme import --chat', () => {
  it('remembers what was said, with its time and the conversation it came from', async () => {
    const { write, imported, memories } = prepared();
    const file = write('chats.json', [chat('dogs', ['I have a dog called Rex.'])]);

    const report = await imported(['--chat', file]);

    expect(report).toMatchObject({ conversations: 1, known: 0, turns: 2, added: 1 });
    const [memory] = await memories();
    expect(memory.memory).toContain('a dog called Rex');
    expect(memory).toMatchObject({
      user_id: 'ann',
      run_id: null,
      metadata: { source: 'turns', conversation: 'dogs', title: 'About dogs' },
    });
    expect(memory.created_at).toMatch(/^2024-03-05T18:00:00/);
  });

  it('goes on where it was: with new conversations, and with what was said since', async () => {
    const { write, imported, memories } = prepared();
    const dogs = ['I have a dog called Rex.'];
    await imported(['--chat', write('first.json', [chat('dogs', dogs)])]);
    dogs.push('My dog Rex is afraid of thunder.');

    const later = write('later.json', [
      chat('dogs', dogs),
      chat('tea', ['My sister Ida lives in Oslo.']),
    ]);
    const second = await imported(['--chat', later]);
    const third = await imported(['--chat', later]);

    expect(second).toMatchObject({ conversations: 2, known: 0, turns: 4, added: 2 });
    expect(third).toMatchObject({ conversations: 0, known: 2, turns: 0, added: 0 });
    expect(await memories()).toHaveLength(3);
  });

  it('takes secrets out of what was said', async () => {
    const { run, write, imported, memories } = prepared();
    const key = `ghp_${'a1B2'.repeat(9)}`;

    await imported(['--chat', write('c.json', [chat('keys', [`My deploy key is ${key}.`])])]);
    await imported([
      '--verbatim',
      '--chat',
      write('d.json', [chat('keys', [`The blue server takes ${key} since May`])]),
    ]);

    const kept = JSON.stringify(await memories());
    const { stdout: events } = await run(['call', 'list_events'], { env: user });
    expect(kept).toContain('The blue server takes [REDACTED:api_key] since May');
    expect(events).toContain('My deploy key is [REDACTED:api_key]');
    expect(kept + events).not.toContain(key);
  });

  it('leaves out what may not be stored, says where it was, and goes on', async () => {
    const { home, run, write, memories } = prepared();
    const env = { ...user, MNEME_SECRETS: 'refuse', MNEME_DATA_DIR: join(home, 'data') };
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const said = [
      'I have a dog called Rex.',
      `My deploy key is ${key}.`,
      'My sister Ida lives in Oslo.',
    ];
    const file = write('chats.json', [chat('keys', said), chat('trip', ['I moved to Lisbon.'])]);

    const first = await run(['import', '--chat', file], { env });
    const second = await run(['import', '--chat', file], { env });

    expect(first).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/skipped message 3 of conversation keys: .*api_key/),
    });
    expect(first.stdout).toContain('1 message left out.');
    expect(second).toMatchObject({ code: 0, stderr: '' });
    const kept = (await memories(env)).map(({ memory }: { memory: string }) => memory);
    expect(kept.sort()).toEqual([
      'User has a dog called Rex.',
      'User moved to Lisbon.',
      "User's sister Ida lives in Oslo.",
    ]);
    expect(first.stdout + first.stderr + JSON.stringify(kept)).not.toContain(key);
  });

  it('leaves out a title that may not be stored, and stores what was said under it', async () => {
    const { home, write, imported, memories } = prepared();
    const env = { ...user, MNEME_SECRETS: 'refuse', MNEME_DATA_DIR: join(home, 'data') };
    const title = `ghp_${'a1B2'.repeat(9)}`;
    const file = write('c.json', [{ ...chat('dogs', ['I have a dog called Rex.']), title }]);

    expect(await imported(['--chat', file], { env })).toMatchObject({ added: 1, refused: 0 });
    expect(JSON.stringify(await memories(env))).not.toContain(title);
  });

  it('counts what is left out for programs', async () => {
    const { write, run } = prepared();
    const env = { ...user, MNEME_SECRETS: 'refuse' };
    const secrets = [1, 2].map((digit) => `My deploy key is ghp_${`a1B${digit}`.repeat(9)}.`);
    const file = write('chats.json', [chat('keys', secrets)]);

    const { code, stdout } = await run(['import', '--chat', file, '--json'], { env });

    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ conversations: 1, turns: 2, added: 0, refused: 2 });
  });

  it('takes today for times that are still to come', async () => {
    const { write, imported, memories } = prepared();
    const later = Date.parse('2999-01-01T00:00:00Z') / 1000;
    const file = write('chats.json', [chat('dogs', ['I have a dog called Rex.'], later)]);

    await imported(['--chat', file]);

    const [memory] = await memories();
    expect(Date.parse(memory.created_at)).toBeLessThanOrEqual(Date.now());
  });

  it('stores nothing twice when it is told to begin again', async () => {
    const { write, imported, memories } = prepared();
    const file = write('chats.json', [chat('dogs', ['I have a dog called Rex.'])]);
    await imported(['--chat', file]);

    const again = await imported(['--chat', file, '--again']);

    expect(again).toMatchObject({ conversations: 1, added: 0, unchanged: 1 });
    expect(await memories()).toHaveLength(1);
  });

  it('goes on after a note that a killed process left half written', async () => {
    const { home, write, imported } = prepared();
    const data = { env: { ...user, MNEME_DATA_DIR: join(home, 'data') } };
    const file = write('chats.json', [chat('dogs', ['I have a dog called Rex.'])]);
    await imported(['--chat', file], data);
    const [notes = ''] = readdirSync(join(home, 'data', 'imports'));
    writeFileSync(join(home, 'data', 'imports', notes), '{"chat":"dogs","tur');

    expect(await imported(['--chat', file], data)).toMatchObject({ added: 0, unchanged: 1 });
  });

  it('keeps what is imported for one user apart from what is for another', async () => {
    const { write, imported, memories } = prepared();
    const file = write('chats.json', [chat('dogs', ['I have a dog called Rex.'])]);
    await imported(['--chat', file]);

    const bobs = await imported(['--chat', file, '--user-id', 'bob']);

    expect(bobs).toMatchObject({ conversations: 1, added: 1 });
    expect(await memories({ MNEME_USER_ID: 'bob' })).toHaveLength(1);
  });

  it('stores each turn as it is when it is told to, those of the assistant too', async () => {
    const { write, imported, memories } = prepared();
    const file = write('chat.md', '## User\nWhere is Rex?\n\n## Assistant\nIn the garden.\n');

    expect(await imported(['--chat', file, '--verbatim'])).toMatchObject({ turns: 2, added: 2 });
    expect((await memories()).map(({ memory }: { memory: string }) => memory).sort()).toEqual([
      'In the garden.',
      'Where is Rex?',
    ]);
  });

  it('reads the oldest conversation first, so that later ones correct it', async () => {
    const { write, imported, memories } = prepared();
    const later = chat('later', ['I have a cat called Tom.'], march + 86_400);
    const file = write('chats.json', [later, chat('first', ['I have a dog called Rex.'])]);
    await imported(['--chat', file]);

    const all = (await memories()) as { id: string; metadata: { conversation: string } }[];
    const made = all.sort((one, other) => (one.id < other.id ? -1 : 1));
    expect(made.map(({ metadata }) => metadata.conversation)).toEqual(['first', 'later']);
  });

  it('shows what would be remembered in a trial, and stores nothing', async () => {
    const { write, run, memories } = prepared();
    const file = write('chats.json', [chat('dogs', ['I have a dog called Rex.']), { foo: 1 }]);

    const { code, stdout, stderr } = await run(['import', '--chat', file, '--dry-run'], {
      env: user,
    });

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/skipped 1 entry/),
    });
    expect(stdout).toMatch(/^About dogs\t.*a dog called Rex/);
    expect(stdout).toMatch(/CONVERSATIONS +TURNS +ADDED.*\n +1 +2 +1.*\n.*nothing was stored/);
    expect(await memories()).toEqual([]);
  });

  it('reads standard input, and cuts a turn that no memory could hold', async () => {
    const { imported, memories } = prepared();
    const input = JSON.stringify([{ role: 'user', content: 'word '.repeat(10_000) }]);

    const report = await imported(['--chat', '-', '--verbatim'], { env: user, input });

    expect(report).toMatchObject({ turns: 1, added: 2 });
    expect(await memories()).toHaveLength(2);
  });

  it('stores in a remote instance', async () => {
    const key = 'mk_of_this_test_0123456789abcdefghijkl';
    const { url } = await serve(temporaryFolder(), { MNEME_BOOTSTRAP_KEY: key });
    const { write, imported, memories } = prepared();
    const env = { ...user, MNEME_BASE_URL: url, MNEME_API_KEY: key };
    const file = write('chats.json', [chat('dogs', ['I have a dog called Rex.'])]);

    expect(await imported(['--chat', file], { env })).toMatchObject({ added: 1 });
    expect(await imported(['--chat', file], { env })).toMatchObject({ known: 1 });
    expect(await memories(env)).toHaveLength(1);
  });

  it.each([
    [['--chat', 'x.json', 'y.json'], 2, 'unexpected "y.json"'],
    [['--chat'], 2, 'FILE is missing'],
    [['--chat', 'x.json', '--from-url', 'http://x'], 2, 'flag --from-url: '],
    [['--again', 'x.jsonl'], 2, 'flag --again: works only with --chat'],
    [['--chat', 'missing.json'], 3, 'missing.json '],
    [['--chat', '.'], 2, '. holds no conversations.json'],
  ])('refuses %j', async (args, code, why) => {
    const { run } = prepared();

    const ended = await run(['import', ...args], { env: user });

    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(why);
  });
});

it('a long conversation is split while it is stored, and no turn is read twice', () => {
  let read = 0;
  const turn = { role: 'user', content: 'a', at: null } as const;
  const turns = new Proxy(Array(200_000).fill(turn), {
    get: (all, name) => {
      if (name !== 'length') read += 1;
      return Reflect.get(all, name);
    },
  });
  const chunks = splitIntoChunks({ id: 'c', title: null, source: 'turns', turns }, 0, 'UTC');

  const first = chunks.next();
  const readFirst = read;
  const rest = [...chunks];

  expect(first.value).toMatchObject({ from: 0, to: 20 });
  expect(readFirst).toBe(21);
  expect(rest).toHaveLength(9_999);
  expect(rest.at(-1)).toMatchObject({ from: 199_980, to: 200_000 });
  expect(read).toBe(200_000);
});

it('turns of another day, or of an hour later, are added apart', () => {
  const times = ['01T22:50', '01T23:40', '01T23:55', '02T00:05', '02T01:00', '02T01:30'];
  const turns = times.map((time) => {
    const at = Date.parse(`2026-05-${time}Z`) / 1000;
    return { role: 'user', content: time, at } as const;
  });
  const apart = (timezone: string) =>
    [...splitIntoChunks({ id: 'c', title: null, source: 'turns', turns }, 0, timezone)].map(
      (chunk) => chunk.turns.map(({ content }) => content),
    );

  expect(apart('UTC')).toEqual([
    ['01T22:50', '01T23:40'],
    ['01T23:55'],
    ['02T00:05', '02T01:00'],
    ['02T01:30'],
  ]);
  expect(apart('Asia/Tokyo')).toEqual([
    ['01T22:50', '01T23:40'],
    ['01T23:55', '02T00:05'],
    ['02T01:00', '02T01:30'],
  ]);
});
