import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { ClientName } from '../../src/client-entries/clients.ts';
import { serve } from './serve-support.ts';
import { runIn, temporaryFolder } from './support.ts';

const address = 'https://memory.example.com';
const url = `${address}/mcp?user_id=ada`;
const key = 'mk_example_of_thirty_two_letters';

/** Runs `mneme init` with an address in a home folder of its own. */
function preparedHome() {
  const home = temporaryFolder();
  const env = { MNEME_USER_ID: 'ada', MNEME_API_KEY: key };
  const init = (args: string[], more: Record<string, string> = {}) =>
    runIn(home)(['init', '--yes', ...args], { env: { ...env, ...more } });
  const read = (file: string) => readFileSync(join(home, file), 'utf8');
  return { home, init, read };
}

const authorized = (reference: string) => ({ headers: { Authorization: `Bearer ${reference}` } });
const shell = authorized('$'.concat('{MNEME_API_KEY}'));
const editor = authorized('$'.concat('{env:MNEME_API_KEY}'));
const written = authorized(key);

/** Which file, which key leads to the servers, and what the client reads there. */
const entries: [ClientName, file: string, servers: string, entry: object][] = [
  ['claude-code', '.claude.json', 'mcpServers', { type: 'http', url, ...shell }],
  ['cursor', '.cursor/mcp.json', 'mcpServers', { url, ...editor }],
  ['vscode', '.config/Code/User/mcp.json', 'servers', { type: 'http', url, ...editor }],
  ['windsurf', '.codeium/windsurf/mcp_config.json', 'mcpServers', { serverUrl: url, ...editor }],
  ['codex', '.codex/config.toml', 'mcp_servers', { url, bearer_token_env_var: 'MNEME_API_KEY' }],
  ['gemini', '.gemini/settings.json', 'mcpServers', { httpUrl: url, ...shell }],
  [
    'opencode',
    '.config/opencode/opencode.json',
    'mcp',
    { type: 'remote', url, ...authorized('{env:MNEME_API_KEY}') },
  ],
  ['kiro', '.kiro/settings/mcp.json', 'mcpServers', { url, ...shell }],
];

const entriesWithKey: typeof entries = [
  ['zed', '.config/zed/settings.json', 'context_servers', { url, ...written }],
  ['lm-studio', '.lmstudio/mcp.json', 'mcpServers', { url, ...written }],
  ['amazon-q', '.aws/amazonq/mcp.json', 'mcpServers', { type: 'http', url, ...written }],
  [
    'copilot-cli',
    '.copilot/mcp-config.json',
    'mcpServers',
    { type: 'http', url, ...written, tools: ['*'] },
  ],
  ['codex', '.codex/config.toml', 'mcp_servers', { url, http_headers: written.headers }],
];

function dataIn(file: string, text: string): Record<string, unknown> {
  return file.endsWith('.toml') ? structuredClone(parseToml(text)) : JSON.parse(text);
}

describe('mneme init --url', () => {
  it.each(entries)('leads %s to the address, and to the variable of the key', async (...row) => {
    const [name, file, servers, entry] = row;
    const { init, read } = preparedHome();

    const first = await init([name, '--url', address]);
    const text = read(file);
    const second = await init([name, '--url', address]);

    expect(first.code).toBe(0);
    expect(dataIn(file, text)[servers]).toEqual({ mneme: entry });
    expect(text).not.toContain(key);
    expect(second.stdout).toContain('already connected');
  });

  it.each(entriesWithKey)('writes the key for %s when it is told to', async (...row) => {
    const [name, file, servers, entry] = row;
    const { init, read } = preparedHome();

    const { code, stdout } = await init([name, '--url', address, '--with-secrets']);

    expect(code).toBe(0);
    expect(dataIn(file, read(file))[servers]).toEqual({ mneme: entry });
    expect(stdout).not.toContain(key);
  });

  it.each([
    ['zed', 'add --with-secrets'],
    ['lm-studio', 'add --with-secrets'],
    ['claude-desktop', '--base-url'],
    ['goose', '--base-url'],
  ])('leaves %s as it is, and says what works', async (name, message) => {
    const { home, init } = preparedHome();

    const { code, stdout } = await init([name, '--url', address, '--json']);

    expect(code).toBe(4);
    expect(JSON.parse(stdout).files[0]).toMatchObject({ change: 'refused', done: false });
    expect(JSON.parse(stdout).files[0].problem).toContain(message);
    expect(JSON.parse(stdout).files[0].file).toContain(home);
  });

  it('carries scope and tools over in the address', async () => {
    const { init, read } = preparedHome();
    const args = ['--project-id', 'garden', '--toolsets', 'core,events', '--read-only'];

    await init(['cursor', '--url', `${address}/team/mcp?lock_scope=true`, ...args]);

    const { mneme } = JSON.parse(read('.cursor/mcp.json')).mcpServers;
    const { pathname, searchParams } = new URL(mneme.url);
    expect(pathname).toBe('/team/mcp');
    expect(Object.fromEntries(searchParams)).toEqual({
      lock_scope: 'true',
      project_id: 'garden',
      user_id: 'ada',
      toolsets: 'core,events',
      read_only: 'true',
    });
  });

  it('takes the place of an entry that starts a program, and gives it back', async () => {
    const { home, init, read } = preparedHome();
    mkdirSync(join(home, '.cursor'));
    const before = {
      mcpServers: {
        a: { url: 'https://a.example.com' },
        mneme: { command: 'npx', args: ['-y', 'mneme'], env: { A: '1' }, disabled: true },
      },
    };
    writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify(before));

    await init(['cursor', '--url', address]);
    const connected = JSON.parse(read('.cursor/mcp.json'));
    await init(['cursor', '--undo']);
    const undone = JSON.parse(read('.cursor/mcp.json'));
    await init(['cursor', '--url', address]);
    await init(['cursor']);
    const local = JSON.parse(read('.cursor/mcp.json')).mcpServers.mneme;

    expect(connected.mcpServers).toEqual({
      a: before.mcpServers.a,
      mneme: { url, ...editor, disabled: true },
    });
    expect(undone).toEqual(before);
    expect(local).toMatchObject({ command: process.execPath, disabled: true });
    expect(Object.keys(local).sort()).toEqual(['args', 'command', 'disabled', 'env']);
  });

  it('keeps headers that somebody added', async () => {
    const { home, init, read } = preparedHome();
    mkdirSync(join(home, '.cursor'));
    const mneme = { url: 'https://old.example.com/mcp', headers: { 'X-Team': 'red' } };
    writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { mneme } }));

    await init(['cursor', '--url', address]);

    expect(JSON.parse(read('.cursor/mcp.json')).mcpServers.mneme).toEqual({
      url,
      headers: { 'X-Team': 'red', ...editor.headers },
    });
  });

  it.each([
    [['--url', 'memory.example.com'], 'flag --url: '],
    [['--url', 'ftp://memory.example.com'], 'flag --url: '],
    [['--url', 'https://ada:key@memory.example.com'], 'without a key'],
    [['--url', address, '--data-dir', 'x'], 'flag --data-dir: an address cannot hold it'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await preparedHome().init(['cursor', ...args]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('leads to a server that takes address and key', async () => {
    const { init, read } = preparedHome();
    const server = await serve(temporaryFolder(), { MNEME_BOOTSTRAP_KEY: key });
    await init(['cursor', '--url', server.url, '--toolsets', 'core', '--with-secrets']);
    const { mneme } = JSON.parse(read('.cursor/mcp.json')).mcpServers;

    const answer = await fetch(mneme.url, {
      method: 'POST',
      headers: {
        ...mneme.headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      }),
    });

    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"name":"mneme"');
  });

  it('refuses to write a key that there is not', async () => {
    const { init } = preparedHome();

    const run = await init(['cursor', '--url', address, '--with-secrets'], { MNEME_API_KEY: '' });

    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('key');
  });
});

describe('mneme init --base-url', () => {
  it('starts mneme in front of the instance, and keeps the key out of the file', async () => {
    const { init, read } = preparedHome();

    await init(['claude-desktop', '--base-url', address]);

    const text = read('.config/Claude/claude_desktop_config.json');
    const { mneme } = JSON.parse(text).mcpServers;
    expect(mneme.args.slice(1)).toEqual(['--base-url', address]);
    expect(mneme.env).toEqual({ MNEME_USER_ID: 'ada' });
    expect(text).not.toContain(key);
  });
});
