import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  callOverWire,
  makeFolder,
  runProgram,
  type Settings,
  shakeHands,
  startWire,
} from './support.ts';

const configName = 'mneme.config.json';

describe('a setting of the server', () => {
  it.each([
    ['its default', {}, /Current user: "[^"]+"/],
    ["the user's file over the default", { own: 'owner' }, 'Current user: "owner"'],
    ["a project's file over the user's", { own: 'owner', near: 'team' }, 'Current user: "team"'],
    [
      'the environment over files',
      { own: 'owner', near: 'team', variable: 'shell' },
      'Current user: "shell"',
    ],
    [
      'a flag over the environment',
      { own: 'owner', near: 'team', variable: 'shell', flag: 'line' },
      'Current user: "line"',
    ],
    [
      'a named file instead of the usual two',
      { own: 'owner', near: 'team', named: 'chosen' },
      'Current user: "chosen"',
    ],
    [
      'the environment over a named file',
      { named: 'chosen', variable: 'shell' },
      'Current user: "shell"',
    ],
  ])('is %s', async (_, places, says) => {
    const settings = await settingsWith(places);
    const wire = startWire(settings);

    const { result } = await shakeHands(wire);

    expect(result?.instructions).toMatch(says);
  });

  it('decides where the data are: a flag over the environment over a file', async () => {
    const folder = await makeFolder();
    const [fromFile, fromShell, fromLine] = ['file', 'shell', 'line'].map((name) =>
      join(folder, name),
    );
    const file = writeConfig(folder, 'chosen.json', { data_dir: './file' });
    const shell = { MNEME_DATA_DIR: fromShell ?? '' };

    await store({ data_dir: '', env: { HOME: folder }, flags: ['--config', file] });
    await store({ data_dir: '', env: { HOME: folder, ...shell }, flags: ['--config', file] });
    expect([fromFile, fromShell, fromLine].map(hasStore)).toEqual([true, true, false]);

    const flags = ['--config', file, '--data-dir', fromLine ?? ''];
    await store({ data_dir: '', env: { HOME: folder, ...shell }, flags });
    expect([fromFile, fromShell, fromLine].map(hasStore)).toEqual([true, true, true]);
  });
});

describe('a configuration file in the working folder', () => {
  it.each([
    ['data_dir', { data_dir: '/tmp/elsewhere' }, 'is not allowed'],
    ['read_only', { read_only: false }, 'may only be true'],
    ['confirm_destructive', { confirm_destructive: false }, 'may only be true'],
    ['log_level', { log_level: 'error' }, 'is not allowed'],
  ])('may not set %s to this, and the server does not start', async (key, values, says) => {
    const cwd = await makeFolder();
    writeConfig(cwd, configName, { user_id: 'team', ...values });

    const { code, wire } = await runProgram({ data_dir: await makeFolder(), cwd });

    expect(code).toBe(2);
    expect(wire.lines).toEqual([]);
    expect(wire.stderr()).toContain(`${configName}: "${key}" ${says} in a file of the`);
    expect(wire.stderr()).toContain(`MNEME_${key.toUpperCase()}`);
  });

  it('may choose tools and lock the scope', async () => {
    const cwd = await makeFolder();
    const values = { user_id: 'team', lock_scope: true, toolsets: ['core'] };
    writeConfig(cwd, configName, values);
    const settings = { data_dir: await makeFolder(), cwd, env: { MNEME_USER_ID: '' } };
    const wire = startWire(settings);

    const { result } = await shakeHands(wire);
    const refused = await callOverWire(wire, 'search_memories', { query: 'x', user_id: 'eve' });

    expect(result?.instructions).toContain('The scope is locked');
    expect(refused.content[0]?.text).toContain('locked to user_id "team"');
  });
});

describe('the tools on offer', () => {
  const core = [
    'add_memory',
    'search_memories',
    'get_memories',
    'update_memory',
    'delete_memory',
    'get_context',
    'get_history',
  ];

  it.each([
    ['of a toolset', ['--toolsets', 'core'], core],
    ['of two toolsets', ['--toolsets=core,events'], [...core, 'list_events', 'get_event']],
    [
      'of a toolset and by name',
      ['--toolsets', 'events', '--tools', 'get_memory'],
      ['get_memory', 'list_events', 'get_event'],
    ],
    ['by name alone', ['--tools', 'search_memories,add_memory'], ['add_memory', 'search_memories']],
    ['by an earlier name', ['--tools', 'search_memory'], ['search_memories']],
    [
      'but those left out',
      ['--toolsets', 'core', '--exclude-tools', 'get_context,get_history'],
      core.slice(0, 5),
    ],
    [
      'that only read',
      ['--read-only'],
      [
        'search_memories',
        'get_memories',
        'get_memory',
        'get_context',
        'get_history',
        'manage_changes',
        'recalls',
        'get_export',
        'list_entities',
        'list_events',
        'get_event',
        'manage_webhook',
        'manage_organization',
        'manage_project',
      ],
    ],
  ])('are those %s', async (_, flags, names) => {
    const wire = startWire({ data_dir: await makeFolder(), flags });

    const { result } = await wire.request('tools/list');

    const tools = result?.tools as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    [['--read-only'], 'add_memory', { text: 'x' }, 'this server is read-only'],
    [['--toolsets', 'events'], 'get_memories', {}, 'switched off on this server'],
    [['--exclude-tools', 'list_events'], 'list_events', {}, 'switched off on this server'],
    [['--exclude-tools', 'delete_entity'], 'delete_entities', {}, 'switched off on this server'],
  ])('with %j refuse %s', async (flags, tool, args, says) => {
    const wire = startWire({ data_dir: await makeFolder(), flags });

    const refused = await callOverWire(wire, tool, args);

    expect(refused.structuredContent.error).toMatchObject({ code: 'forbidden' });
    expect(refused.content[0]?.text).toContain(says);
  });

  it('that only read come with prompts that only read', async () => {
    const wire = startWire({ data_dir: await makeFolder(), flags: ['--read-only'] });

    const { result } = await wire.request('prompts/list');

    expect(result?.prompts).toMatchObject([{ name: 'recall' }]);
  });
});

describe('a server does not start', () => {
  it.each([
    ['an unknown toolset', ['--toolsets', 'cores'], 'did you mean "core"?'],
    ['an unknown tool', ['--tools', 'add_memry'], 'did you mean "add_memory"?'],
    ['an unknown tool to leave out', ['--exclude-tools', 'delete_al'], '"delete_al" is unknown'],
    ['an unknown flag', ['--data-dri', 'x'], 'did you mean --data-dir?'],
    ['a flag without its value', ['--toolsets'], 'needs a value'],
    ['a value of another kind', ['--add-wait-ms', 'soon'], 'is not a whole number'],
    ['a number out of range', ['--lease-ms', '1'], 'is not a whole number from 1000'],
    ['a file that is not there', ['--config', 'missing.json'], 'does not exist'],
    ['an argument too many', ['--read-only', 'extra'], 'extra'],
    ['an unknown command', ['serv'], 'unknown command "serv"'],
  ])('with %s, and says what was meant', async (_, flags, says) => {
    const { code, wire } = await runProgram({ data_dir: await makeFolder(), flags });

    expect(code).toBe(2);
    expect(wire.lines).toEqual([]);
    expect(wire.stderr()).toContain(says);
    expect(wire.stderr()).not.toMatch(/^\s+at /m);
  });

  it.each([
    ['MNEME_TOOLSETS', 'cores', 'did you mean "core"?'],
    ['MNEME_READONLY', 'true', 'did you mean MNEME_READ_ONLY?'],
    ['MNEME_READ_ONLY', 'yes', 'is not true or false'],
  ])('with %s=%s in the environment', async (variable, value, says) => {
    const env = { [variable]: value };

    const { code, wire } = await runProgram({ data_dir: await makeFolder(), env });

    expect(code).toBe(2);
    expect(wire.stderr()).toContain(`environment ${variable}: `);
    expect(wire.stderr()).toContain(says);
  });

  it.each([
    ['no JSON', '{"user_id": "x",', 'is not valid JSON: line 1'],
    ['a list', '[]', 'must hold a JSON object'],
    ['an unknown key', '{"userid": "x"}', 'did you mean "user_id"?'],
    [
      'a key from the prototype',
      '{"__proto__": {"read_only": true}}',
      '"__proto__" is not an option',
    ],
    ['a value of another kind', '{"read_only": "yes"}', '"yes" is not true or false'],
  ])('with a file that holds %s', async (_, text, says) => {
    const data_dir = await makeFolder();
    const file = join(data_dir, 'chosen.json');
    writeFileSync(file, text);

    const { code, wire } = await runProgram({ data_dir, flags: ['--config', file] });

    expect(code).toBe(2);
    expect(wire.lines).toEqual([]);
    expect(wire.stderr()).toContain(says);
  });
});

type Places = { own?: string; near?: string; named?: string; variable?: string; flag?: string };

/** A server whose user is named in some of the places that a setting can come from. */
async function settingsWith({ own, near, named, variable, flag }: Places): Promise<Settings> {
  const data_dir = await makeFolder();
  const cwd = await makeFolder();
  const env = { MNEME_USER_ID: variable ?? '', XDG_CONFIG_HOME: join(data_dir, 'config') };
  const flags = flag === undefined ? [] : ['--user-id', flag];
  if (own !== undefined) {
    const folder = join(data_dir, 'config', 'mneme');
    mkdirSync(folder, { recursive: true });
    writeConfig(folder, configName, { user_id: own });
  }
  if (near !== undefined) writeConfig(cwd, configName, { user_id: near });
  if (named !== undefined) {
    flags.push('--config', writeConfig(cwd, 'chosen.json', { user_id: named }));
  }
  return { data_dir, cwd, env, flags };
}

function writeConfig(folder: string, name: string, values: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(values));
  return path;
}

/** Starts a server, stores one memory, and lets the server end. */
async function store(settings: Settings): Promise<void> {
  const wire = startWire(settings);
  const added = await callOverWire(wire, 'add_memory', { text: 'Likes tea' });
  expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
  wire.end();
  await wire.exited;
}

function hasStore(data_dir: string | undefined): boolean {
  return existsSync(join(data_dir ?? '', 'mneme.db'));
}
