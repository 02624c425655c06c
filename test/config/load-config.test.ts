import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { configFileSchema } from '../../src/config/config-file.ts';
import { type ConfigFlags, loadConfig, maskSecrets } from '../../src/config/load-config.ts';
import { option } from '../../src/config/option.ts';
import { commonOptions, orderedOptions } from '../../src/config/option-sections.ts';
import { optionProblem, parseOptionText } from '../../src/config/option-values.ts';
import { configFileName, type OptionName, optionNames, options } from '../../src/config/options.ts';
import { userFolders } from '../../src/config/user-folders.ts';

let folder: string;
let cwd: string;
let own: string;
const before = process.env.XDG_CONFIG_HOME;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-config-'));
  cwd = join(folder, 'project');
  process.env.XDG_CONFIG_HOME = join(folder, 'config');
  own = join(userFolders().config, configFileName);
  mkdirSync(cwd);
  mkdirSync(userFolders().config, { recursive: true });
});

afterEach(() => {
  rmSync(folder, { recursive: true });
  if (before === undefined) delete process.env.XDG_CONFIG_HOME;
  else process.env.XDG_CONFIG_HOME = before;
});

const load = (flags: ConfigFlags = {}, env: NodeJS.ProcessEnv = {}) =>
  loadConfig(flags, { env, cwd });

async function problems(flags: ConfigFlags = {}, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const error = await load(flags, env).then(() => null, String);
  return error === null ? [] : error.replace('ApiError: ', '').split('\n');
}

function writeOwn(content: unknown): void {
  writeFileSync(own, typeof content === 'string' ? content : JSON.stringify(content));
}

function writeProject(content: unknown): string {
  const path = join(cwd, configFileName);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('without any configuration', () => {
  it("keeps data in the operating system's data folder, as the user of the machine", async () => {
    const { values, sources, files } = await load();

    expect(values).toMatchObject({
      data_dir: userFolders().data,
      user_id: userInfo().username,
      project_id: null,
      toolsets: null,
      exclude_tools: [],
      add_wait_ms: 5000,
      result_max_tokens: 8000,
      confirm_destructive: true,
      synchronous: 'normal',
      log_level: 'info',
    });
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
    expect(files).toEqual([]);
  });
});

describe('precedence', () => {
  it('puts flags over variables, variables over files and files over defaults', async () => {
    writeOwn({ user_id: 'file', agent_id: 'file', app_id: 'file' });

    const { values, sources } = await load(
      { user_id: 'flag' },
      { MNEME_USER_ID: 'variable', MNEME_AGENT_ID: 'variable' },
    );

    expect(values).toMatchObject({ user_id: 'flag', agent_id: 'variable', app_id: 'file' });
    expect(sources).toMatchObject({
      user_id: 'flag --user-id',
      agent_id: 'environment MNEME_AGENT_ID',
      app_id: `${own}: "app_id"`,
      run_id: 'default',
    });
  });

  it("puts the working folder's file over the user's own", async () => {
    writeOwn({ user_id: 'ann', read_only: true });
    const path = writeProject({ user_id: 'bob', toolsets: ['core'] });

    const { values, files } = await load();

    expect(values).toMatchObject({ user_id: 'bob', read_only: true, toolsets: ['core'] });
    expect(files).toEqual([own, path]);
  });

  it('reads the named file instead of the usual two', async () => {
    writeOwn({ user_id: 'ann', app_id: 'own' });
    writeProject({ user_id: 'bob' });
    const path = join(folder, 'other.json');
    writeFileSync(path, JSON.stringify({ user_id: 'cem', data_dir: 'data' }));

    const { values, files } = await load({ config: '../other.json' });

    expect(values).toMatchObject({ user_id: 'cem', app_id: null });
    expect(values.data_dir).toBe(join(folder, 'data'));
    expect(files).toEqual([path]);
  });
});

describe('values', () => {
  it('reads numbers, switches and lists from text', async () => {
    const { values } = await load(
      { read_only: true, lock_scope: 'false' },
      {
        MNEME_ADD_WAIT_MS: '250',
        MNEME_TOOLSETS: 'core, events',
        MNEME_EXCLUDE_TOOLS: 'get_event',
        MNEME_CONFIRM_DESTRUCTIVE: '0',
      },
    );

    expect(values).toMatchObject({
      read_only: true,
      lock_scope: false,
      add_wait_ms: 250,
      toolsets: ['core', 'events'],
      exclude_tools: ['get_event'],
      confirm_destructive: false,
    });
  });

  it('takes an empty variable, and one that an installer left unfilled, for unset', async () => {
    const env = { MNEME_USER_ID: '', MNEME_DATA_DIR: ['$', '{user_config.data_dir}'].join('') };

    const { values } = await load({}, env);

    expect(values.user_id).toBe(userInfo().username);
    expect(values.data_dir).toBe(userFolders().data);
  });

  it('finds the home folder behind ~ and relative folders from where they were written', async () => {
    writeOwn({ data_dir: 'memories' });

    expect((await load()).values.data_dir).toBe(join(userFolders().config, 'memories'));
    expect((await load({ data_dir: 'x' })).values.data_dir).toBe(join(cwd, 'x'));
    expect((await load({ data_dir: '~/x' })).values.data_dir).toBe(join(homedir(), 'x'));
  });
});

describe('a file in the working folder', () => {
  it('may set whose memories a project uses and which tools', async () => {
    writeProject({
      $schema: 'https://example.com/schema.json',
      org_id: 'o',
      project_id: 'p',
      agent_id: 'a',
      app_id: 'b',
      run_id: 'r',
      lock_scope: true,
      tools: ['get_event'],
      exclude_tools: ['delete_memory'],
    });

    expect(await problems()).toEqual([]);
  });

  it("can't redirect where data go, nor anything else that is the user's to decide", async () => {
    const path = writeProject({ data_dir: '/tmp/elsewhere', read_only: false, log_level: 'error' });

    const found = await problems();

    expect(found).toHaveLength(3);
    expect(found[0]).toContain(
      `${path}: "data_dir" is not allowed in a file of the working folder`,
    );
    expect(found[0]).toContain('MNEME_DATA_DIR');
    expect(found[0]).toContain('--config FILE');
  });

  it('leaves a scope alone that the user has locked', async () => {
    const path = writeProject({ lock_scope: false, user_id: 'mallory', tools: ['get_event'] });
    writeOwn({ lock_scope: true, user_id: 'ann' });

    const found = await problems();

    expect(found).toEqual([
      `${path}: "lock_scope": the scope is locked by ${own}: "lock_scope"`,
      `${path}: "user_id": the scope is locked by ${own}: "lock_scope"`,
    ]);
    expect(await problems({ lock_scope: false })).toEqual([]);
  });

  it('offers no tools beyond those that the user has chosen', async () => {
    writeProject({ toolsets: ['admin'], tools: ['delete_all_memories'] });
    writeOwn({ toolsets: ['core'] });

    const { values, sources } = await load();

    expect(values).toMatchObject({ toolsets: ['core'], tools: null });
    expect(sources.toolsets).toBe(`${own}: "toolsets"`);
  });

  it('leaves out more tools than the user does, and none fewer', async () => {
    writeProject({ exclude_tools: ['delete_memory'] });
    writeOwn({ exclude_tools: ['create_webhook'] });

    const { values } = await load();

    expect(values.exclude_tools).toEqual(['create_webhook', 'delete_memory']);
  });

  it.each([
    ['read_only', false, true, true],
    ['read_only', true, undefined, true],
    ['confirm_destructive', false, false, 'may only be true'],
    ['confirm_destructive', true, false, true],
    ['secrets', 'refuse', 'redact', 'refuse'],
    ['secrets', 'redact', 'refuse', 'refuse'],
    ['secrets', 'keep', 'keep', 'may only be redact or refuse'],
    ['secrets', 'none', 'refuse', 'one of redact, refuse, keep'],
    ['capture', 'told', 'off', 'off'],
    ['capture', 'off', 'all', 'off'],
    ['capture', 'all', undefined, 'may only be told or off'],
    ['keep_source', false, undefined, false],
  ] as const)(
    'narrows %s: %j beside %j of the user is %j',
    async (name, theirs, mine, expected) => {
      writeProject({ [name]: theirs });
      writeOwn(mine === undefined ? {} : { [name]: mine });

      const found = await problems();

      if (found.length > 0) expect(found).toEqual([expect.stringContaining(String(expected))]);
      else expect((await load()).values[name]).toBe(expected);
    },
  );

  it('leaves what the user says as a flag', async () => {
    writeProject({ secrets: 'refuse' });

    expect((await load({ secrets: 'keep' })).values.secrets).toBe('keep');
  });

  it('sets nothing that says where data go, who is asked or what is run', () => {
    const refused = optionNames.filter((name) => options[name].fromProject === 'refused');

    const places = optionNames.filter((name) =>
      /(_url|_dir|_key|_command|^host|^port|_proxy|_hosts|_origins|_model|_file)$/.test(name),
    );
    expect(places.length).toBeGreaterThan(15);
    expect(refused).toEqual(expect.arrayContaining(places));
  });

  it('is decided about by every option, which does not compile otherwise', () => {
    // @ts-expect-error It does not say what such a file may decide.
    option(z.boolean(), { section: 'tools', default: false, description: 'Leave the door open.' });
    const about = { section: 'tools', default: false, description: 'x' } as const;
    // @ts-expect-error Only values of the option can be narrower.
    option(z.boolean(), { ...about, fromProject: { narrows: ['no'] } });

    expect(optionNames.filter((name) => options[name].fromProject === undefined)).toEqual([]);
  });

  it('is just a file when the user names it', async () => {
    writeProject({ read_only: true });

    const { values } = await load({ config: configFileName });

    expect(values.read_only).toBe(true);
  });
});

describe('mistakes', () => {
  it('name an unknown key with the file and the key that was meant', async () => {
    writeOwn({ user_idd: 'x' });

    expect(await problems()).toEqual([
      `${own}: "user_idd" is not an option; did you mean "user_id"?`,
    ]);
  });

  it('name an unknown variable and the one that was meant', async () => {
    expect(await problems({}, { MNEME_DATADIR: '/x', mneme_other: 'x' })).toEqual([
      'environment MNEME_DATADIR: is not an option; did you mean MNEME_DATA_DIR?',
    ]);
  });

  it('are not what Kubernetes tells of services called mneme and mneme-db', async () => {
    const { values, sources } = await load(
      {},
      {
        MNEME_SERVICE_HOST: '10.0.0.1',
        MNEME_SERVICE_PORT: '80',
        MNEME_SERVICE_PORT_HTTP: '80',
        MNEME_PORT: 'tcp://10.0.0.1:80',
        MNEME_PORT_80_TCP: 'tcp://10.0.0.1:80',
        MNEME_PORT_80_TCP_PROTO: 'tcp',
        MNEME_PORT_80_TCP_PORT: '80',
        MNEME_PORT_80_TCP_ADDR: '10.0.0.1',
        MNEME_DB_SERVICE_HOST: '10.0.0.2',
        MNEME_DB_PORT: 'tcp://10.0.0.2:5432',
      },
    );

    expect(values.port).toBe(8787);
    expect(sources.port).toBe('default');
    expect(await problems({}, { MNEME_PORT: 'http' })).toEqual([
      'environment MNEME_PORT: "http" is not a whole number from 0 to 65535',
    ]);
  });

  it('name the source, the value and what is allowed', async () => {
    writeOwn({ read_only: 'yes', toolsets: 'core' });
    const env = { MNEME_ADD_WAIT_MS: '5s', MNEME_TOOLSETS: 'cor', MNEME_TOOLS: 'add_memry' };

    const found = await problems({ synchronous: 'fast', user_id: 'a\u0000b' }, env);

    expect(found).toEqual([
      `${own}: "read_only": "yes" is not true or false`,
      `${own}: "toolsets": "core" is not a list of names`,
      'environment MNEME_ADD_WAIT_MS: "5s" is not a whole number from 0 to 600000',
      expect.stringMatching(
        /^environment MNEME_TOOLSETS: "cor" .* mean "core"\? \(allowed: core, /,
      ),
      expect.stringMatching(/^environment MNEME_TOOLS: "add_memry" .* mean "add_memory"\?/),
      'flag --user-id: must not hold control or hidden characters',
      'flag --synchronous: "fast" is not one of normal, full',
    ]);
  });

  it.each([
    ['{\n  "user_id": "a",\n}', 'line 3: Unexpected token RBrace found.'],
    ['', 'line 1: Unexpected end of input found.'],
    ["{\n'user_id': 1}", "line 2: Unexpected character ''' found."],
  ])('name the line of a syntax error in %j', async (content, problem) => {
    writeOwn(content);

    expect(await problems()).toEqual([`${own}: is not valid JSON: ${problem}`]);
  });

  it('refuse a file that holds no object, can not be read or does not exist', async () => {
    writeOwn([1]);
    expect(await problems()).toEqual([`${own}: must hold a JSON object`]);

    rmSync(own);
    mkdirSync(own);
    expect(await problems()).toEqual([`${own} is not a regular file`]);

    expect(await problems({ config: 'none.json' })).toEqual([
      `--config: ${join(cwd, 'none.json')} does not exist`,
    ]);
  });

  it('may be a link to a regular file', async () => {
    writeFileSync(join(folder, 'shared.json'), JSON.stringify({ user_id: 'ann' }));
    symlinkSync(join(folder, 'shared.json'), own);

    expect((await load()).values.user_id).toBe('ann');
  });

  it.runIf(process.platform !== 'win32').each([
    ['a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a pipe that nothing writes to', (path: string) => execFileSync('mkfifo', [path])],
  ])('is refused without being read where it is %s', async (_, make) => {
    const inProject = join(cwd, configFileName);
    make(inProject);
    const named = join(folder, 'named.json');
    make(named);

    expect(await problems()).toEqual([`${inProject} is not a regular file`]);
    expect(await problems({ config: named })).toEqual([`--config: ${named} is not a regular file`]);
  });

  it('is refused where it is over 1 MB', async () => {
    const most = 1024 * 1024;
    writeOwn('{}'.padEnd(most));
    expect(await problems()).toEqual([]);

    writeOwn('{}'.padEnd(most + 1));
    expect(await problems()).toEqual([`${own} is over 1 MB`]);
  });

  it('can be named by a variable, and by a flag over it', async () => {
    const named = join(folder, 'named.json');
    writeFileSync(named, JSON.stringify({ user_id: 'ann' }));
    writeOwn({ user_id: 'bob' });

    const byVariable = await load({}, { MNEME_CONFIG: named });
    const byFlag = await load({ config: own }, { MNEME_CONFIG: named });

    expect([byVariable.values.user_id, byFlag.values.user_id]).toEqual(['ann', 'bob']);
  });

  it('cannot make everybody the owner of new memories', async () => {
    writeOwn({ user_id: '*' });

    expect(await problems()).toEqual([expect.stringContaining('name one id')]);
  });

  it('do not mind a byte order mark', async () => {
    writeOwn('\uFEFF{ "user_id": "ann" }');

    expect((await load()).values.user_id).toBe('ann');
  });
});

describe('what is shown', () => {
  it('masks secrets that are set', () => {
    const table = { key: { secret: true }, unset: { secret: true }, port: {} } as const;

    expect(maskSecrets({ key: 's3cret', unset: null, port: 1 }, table)).toEqual({
      key: '********',
      unset: null,
      port: 1,
    });
  });

  it.each(Object.entries(commonOptions))('has a valid example of %s: %s', (name, example) => {
    const option = options[name as OptionName];

    expect(optionProblem(option, parseOptionText(option, example))).toBeNull();
  });

  it('describes every option in the schema of the file, and nothing else', async () => {
    const { properties, additionalProperties } = await configFileSchema();

    expect(Object.keys(Object(properties))).toEqual(['$schema', ...orderedOptions]);
    expect(orderedOptions.toSorted()).toEqual(optionNames.toSorted());
    expect(additionalProperties).toBe(false);
  });
});

describe('options of the REST service', () => {
  it('take origins as a list, and say what an origin is', async () => {
    const { values } = await load({}, { MNEME_CORS_ORIGINS: 'https://a.example, http://b:81' });

    expect(values.cors_origins).toEqual(['https://a.example', 'http://b:81']);
    expect(await problems({}, { MNEME_CORS_ORIGINS: 'a.example' })).toEqual([
      'environment MNEME_CORS_ORIGINS: must be origins such as https://example.com, or *',
    ]);
  });

  it('never show the key that they set', async () => {
    const { values } = await load({}, { MNEME_BOOTSTRAP_KEY: 'my-own-key-of-thirty-two-letters' });

    expect(values.bootstrap_key).toBe('my-own-key-of-thirty-two-letters');
    expect(JSON.stringify(maskSecrets(values))).not.toContain('my-own-key-of-thirty-two-letters');
    expect(await problems({}, { MNEME_BOOTSTRAP_KEY: `my own key ${'k'.repeat(32)}` })).toEqual([
      'environment MNEME_BOOTSTRAP_KEY: must hold no white space',
    ]);
  });

  it('take no key that can be guessed, and say how to make one', async () => {
    const given = 'k'.repeat(31);

    const [problem, ...others] = await problems({}, { MNEME_BOOTSTRAP_KEY: given });

    expect(others).toEqual([]);
    expect(problem).toMatch(/^environment MNEME_BOOTSTRAP_KEY: must have at least 32 characters/);
    expect(problem).toContain('openssl rand -hex 32');
    expect(problem).not.toContain(given);
    expect(await problems({}, { MNEME_BOOTSTRAP_KEY: `${given}k` })).toEqual([]);
  });

  it('can not be set by a file that comes with a project', async () => {
    writeProject({ bootstrap_key: 'planted', cors_origins: ['*'], host: '0.0.0.0' });

    expect(await problems()).toHaveLength(3);
  });
});
