import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as z from 'zod';

/** How to start a server with this Node: what follows `node`, and its environment. */
export type Program = { args: string[]; env: Record<string, string> };

/** A running server, and what its tools answer. */
export type Tools = {
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
};

/** Both channels of a result. */
export type ToolAnswer = { text: string; data: unknown };

/** The command that this checkout was built to. */
const builtCli = resolve('dist/cli.js');

/** The built server of this project on that data folder, whatever this user has configured. */
export function mneme(
  data_dir: string,
  flags: readonly string[] = [],
  cli: string = builtCli,
): Program {
  const home = join(data_dir, 'home');
  const folders = {
    APPDATA: home,
    LOCALAPPDATA: home,
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
  };
  const env = { HOME: home, USERPROFILE: home, ...folders };
  return { args: [cli, '--data-dir', data_dir, ...flags], env };
}

/** The reference server for memories of the protocol's authors, on that folder. */
export function serverMemory(folder: string): Program {
  const manifest = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-memory/package.json',
  );
  return {
    args: [join(dirname(manifest), 'dist/index.js')],
    env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
  };
}

export async function connect({ args, env }: Program): Promise<Tools> {
  const client = new Client({ name: 'mneme-bench', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...inherited(), ...env },
    stderr: 'pipe',
    maxBufferSize: 100_000_000,
  });
  const said: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`the server did not start:\n${said.join('')}`, { cause: error });
  });
  return {
    call: async (name, args) => {
      const result = await client.callTool({ name, arguments: args }, { timeout: 600_000 });
      const { content, structuredContent } = Result.parse(result);
      const text = content.map((part) => part.text ?? '').join('\n');
      if (result.isError) throw new Error(`${name}: ${text.slice(0, 500)}`);
      return { text, data: structuredContent };
    },
    close: () => client.close(),
  };
}

const Result = z.object({
  content: z.array(z.object({ text: z.string().optional() })),
  structuredContent: z.unknown(),
});

/** Settings of this shell must not change what is measured. */
export function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(MNEME|npm|NODE_)/.test(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

/** Runs the work in a new folder, which is gone afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
