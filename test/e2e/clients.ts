import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import { type Settings, serverProgram, type ToolResult } from './support.ts';

/** What every client of the protocol can do, whichever library it is made of. */
type Requests = Pick<
  Client,
  | 'listTools'
  | 'callTool'
  | 'listPrompts'
  | 'getPrompt'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'getInstructions'
  | 'getServerVersion'
>;

/** A connected client and the server process that it started. */
export type Connection = {
  client: Requests;
  pid: number;
  stderr(): string;
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
};

type Connect = (settings: Settings) => Promise<Connection>;

const about = { name: 'e2e', version: '1.0.0' };

/** Each client that people run, by the words of a test's title. */
export const clients = [
  ['the 2.x client that negotiates', (settings) => connectSecond(settings, 'auto')],
  ['the 2.x client of the older era', (settings) => connectSecond(settings, 'legacy')],
  ['the 1.x client', connectFirst],
] as const satisfies readonly (readonly [string, Connect])[];

/** A client of today's SDK; its server is gone after the test. */
export async function connect(settings: Settings): Promise<Connection> {
  const connection = await connectSecond(settings, 'auto');
  onTestFinished(() => connection.close());
  return connection;
}

async function connectSecond(settings: Settings, mode: 'auto' | 'legacy'): Promise<Connection> {
  const transport = new StdioClientTransport({ ...serverProgram(settings), stderr: 'pipe' });
  const client = new Client(about, { versionNegotiation: { mode } });
  const stderr = collect(transport.stderr);
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? -1,
    stderr,
    call: async (name, args) => read(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

async function connectFirst(settings: Settings): Promise<Connection> {
  const transport = new FirstTransport({ ...serverProgram(settings), stderr: 'pipe' });
  const client = new FirstClient(about);
  const stderr = collect(transport.stderr);
  await client.connect(transport as never); // its optional members allow undefined
  return {
    client: client as unknown as Requests, // the same requests, typed by another library
    pid: transport.pid ?? -1,
    stderr,
    call: async (name, args) => read(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

function read(result: unknown): ToolResult {
  return result as ToolResult; // what every tool answers
}

function collect(stream: unknown): () => string {
  const said: string[] = [];
  (stream as NodeJS.ReadableStream | null)?.on('data', (chunk) => said.push(String(chunk)));
  return () => said.join('');
}
