import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { selectToolNames } from '../../src/mcp/tools/select-tools.ts';

const root = join(import.meta.dirname, '../..');
const plugin = join(root, 'plugins/claude-code');
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const everyTool = { toolsets: null, tools: null, exclude_tools: [], read_only: false } as const;

const home = mkdtempSync(join(tmpdir(), 'mneme-plugin-'));
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const env = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  USERPROFILE: home,
  LOCALAPPDATA: join(home, 'local'),
  APPDATA: join(home, 'roaming'),
  CLAUDE_PLUGIN_ROOT: plugin,
  MNEME_DATA_DIR: join(home, 'data'),
  MNEME_USER_ID: 'ada',
};

type Hook = { hooks: { type: string; command: string; timeout: number }[] };
const hooks: Record<string, Hook[]> = json(join(plugin, 'hooks/hooks.json')).hooks;

/** Runs the hooks of an event as Claude Code does: in a shell, with JSON on standard input. */
async function fire(name: string, event: object) {
  const results = (hooks[name] ?? [])
    .flatMap((hook) => hook.hooks)
    .map(async ({ command }) => {
      const child = spawn(command, { shell: true, env, cwd: home });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        stdout += text;
      });
      child.stdin.end(JSON.stringify({ session_id: 's', hook_event_name: name, ...event }));
      const code = await new Promise((resolve) => child.on('close', resolve));
      return { code, stdout };
    });
  return Promise.all(results);
}

describe('the plugin for Claude Code', () => {
  it('has the files that its client looks for', () => {
    const [{ source }] = json(join(root, '.claude-plugin/marketplace.json')).plugins;

    expect(join(root, source)).toBe(plugin);
    for (const file of ['.claude-plugin/plugin.json', '.mcp.json', 'skills/memory/SKILL.md']) {
      expect(existsSync(join(plugin, file)), file).toBe(true);
    }
  });

  it('stores what a session told, and begins the next one with it', async () => {
    const cwd = join(home, 'shop');
    const transcript_path = join(home, 'session.jsonl');
    mkdirSync(cwd);
    const said = { type: 'user', message: { role: 'user', content: 'Never use var here.' } };
    writeFileSync(transcript_path, `${JSON.stringify(said)}\n`);
    const event = { cwd, transcript_path };

    const first = await fire('SessionStart', { ...event, source: 'startup' });
    const ended = await fire('SessionEnd', { ...event, reason: 'other' });
    const second = await vi.waitUntil(
      async () => {
        const [started] = await fire('SessionStart', { ...event, source: 'startup' });
        return started?.stdout === '' ? null : started;
      },
      { timeout: 60_000, interval: 500 },
    );

    expect([first, ended]).toEqual([[{ code: 0, stdout: '' }], [{ code: 0, stdout: '' }]]);
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toMatch(
      /# About the project shop\n.*\n## Always\n- Never use var here\. \(/,
    );
  });

  it('gives its hooks more time than they take before they give up', () => {
    const timeouts = Object.values(hooks).flatMap((list) =>
      list.flatMap((hook) => hook.hooks.map(({ timeout }) => timeout)),
    );

    expect(Math.min(...timeouts)).toBeGreaterThanOrEqual(20);
  });

  it('starts the server', async () => {
    const { command, args } = json(join(plugin, '.mcp.json')).mcpServers.mneme;
    const paths = args.map((arg: string) => arg.replace(/\$\{CLAUDE_PLUGIN_ROOT\}/, plugin));
    const child = spawn(command, paths, { env, cwd: home });
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const params = { protocolVersion: '2025-06-18', capabilities: {} };
    const clientInfo = { name: 'test', version: '1' };
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize' };

    child.stdin.write(`${JSON.stringify({ ...request, params: { ...params, clientInfo } })}\n`);
    const { result } = JSON.parse((await answers.next()).value);
    child.stdin.end();

    expect(result.serverInfo.name).toBe('mneme');
  });

  it.each(['plugins/claude-code/skills/memory/SKILL.md', 'plugins/cursor/mneme.mdc'])(
    '%s names tools that exist',
    (file) => {
      const tools = selectToolNames({ ...everyTool, scope: {}, lock_scope: false });
      const named = [...readFileSync(join(root, file), 'utf8').matchAll(/`(\w+_memor(?:y|ies))`/g)];

      expect(named.length).toBeGreaterThan(3);
      expect(tools).toEqual(expect.arrayContaining(named.map(([, name]) => name)));
    },
  );
});
