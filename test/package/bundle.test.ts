import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionNames, variableName } from '../../src/config/options.ts';
import { selectToolNames } from '../../src/mcp/tools/select-tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'mneme-bundle-'));
const unpacked = join(folder, 'unpacked');
const mcpb = join('node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
const everyTool = { toolsets: null, tools: null, exclude_tools: [], read_only: false } as const;
const run = (...args: string[]) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });

describe('the bundle for Claude Desktop', () => {
  beforeAll(() => {
    const bundle = join(folder, 'mneme.mcpb');
    run('scripts/bundle.mjs', '--output', bundle);
    run(mcpb, 'unpack', bundle, unpacked);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('has a manifest that the installer accepts', () => {
    expect(run(mcpb, 'validate', join(unpacked, 'manifest.json'))).toContain('passes');
  });

  it('holds the program, the manifest, the licences and no packages', () => {
    expect(readdirSync(unpacked).sort()).toEqual([
      'LICENSE',
      'dist',
      'manifest.json',
      'package.json',
    ]);
    expect(readdirSync(join(unpacked, 'dist')).sort()).toEqual([
      'THIRD_PARTY_LICENSES.txt',
      'cli.js',
      'model-process.mjs',
      'package.json',
      'program',
      'sbom.cdx.json',
    ]);
  });

  it('asks only for options that exist, and lists the tools', () => {
    const { server, tools } = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));

    expect(optionNames.map(variableName)).toEqual(
      expect.arrayContaining(Object.keys(server.mcp_config.env)),
    );
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(
      selectToolNames({ ...everyTool, scope: {}, lock_scope: false }),
    );
  });

  it('stores and finds a memory, started as its manifest says', { timeout: 180_000 }, async () => {
    const { server } = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
    const args = server.mcp_config.args.map((arg: string) =>
      arg.replace(/\$\{__dirname\}/, unpacked),
    );
    const env = { ...server.mcp_config.env, MNEME_DATA_DIR: join(folder, 'data'), HOME: folder };
    const child = spawn(nodeWithSqlite(), args, { cwd: folder, env });
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return JSON.parse((await answers.next()).value).result;
    };
    const call = (id: number, name: string, input: object) =>
      ask(id, 'tools/call', { name, arguments: input });

    const { serverInfo } = await ask(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    const added = await call(2, 'add_memory', { text: 'The spare key is under the third pot' });
    const found = await call(3, 'search_memories', { query: 'where is the spare key' });
    child.stdin.end();

    expect(serverInfo.name).toBe('mneme');
    expect(added.isError).toBeFalsy();
    expect(found.content[0].text).toContain('under the third pot');
  });
});

/** The program that runs in a bundle brings no SQLite: Node does, from 22.16 on. */
function nodeWithSqlite(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 16)) return process.execPath;
  return installedNode();
}

/** Node as a package of the registry, kept between runs beside other temporary files. */
function installedNode(): string {
  const os = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${os}-${process.arch}`;
  const cache = join(tmpdir(), 'mneme-test-node22');
  const windows = process.platform === 'win32';
  const node = join(cache, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
  if (existsSync(node)) return node;
  const args = ['install', '--no-save', '--ignore-scripts', '--prefix', cache, `${name}@22`];
  execFileSync('npm', args, { stdio: 'pipe', shell: windows, cwd: tmpdir() });
  return node;
}
