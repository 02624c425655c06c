import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { StrictOmit } from '../../src/contract/strict-omit.ts';
import { type Settings, serverProgram, type ToolResult } from './support.ts';

/** What every client of the protocol can do, whatever library it uses. */
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

/** What the user of a client does with a form; a client without one shows none. */
export type Form = { confirm: boolean | Promise<boolean>; asked: string[] };

export type Connect = (settings: Settings, form?: Form) => Promise<Connection>;

const about = { name: 'e2e', version: '1.0.0' };

/** Each client that people run, by the words of a test's title. */
export const clients: readonly (readonly [string, Connect])[] = [
  [
    'the 2.x client that negotiates',
    (settings, form) => connectSecond(settings, { mode: 'auto', form }),
  ],
  [
    'the 2.x client of the older era',
    (settings, form) => connectSecond(settings, { mode: 'legacy', form }),
  ],
  ['the 1.x client', connectFirst],
];

/** A client of today's SDK; its server is gone after the test. */
export async function connect(settings: Settings): Promise<Connection> {
  const connection = await connectSecond(settings, { mode: 'auto' });
  onTestFinished(() => connection.close());
  return connection;
}

type Choices = { mode: 'auto' | 'legacy'; form?: Form | undefined };

async function connectSecond(settings: Settings, choices: Choices): Promise<Connection> {
  const transport = new StdioClientTransport({ ...serverProgram(settings), stderr: 'pipe' });
  const stderr = collect(transport.stderr);
  const opened = await openSecond(transport, choices);
  return { ...opened, pid: transport.pid ?? -1, stderr };
}

async function connectFirst(settings: Settings, form?: Form): Promise<Connection> {
  const transport = new FirstTransport({ ...serverProgram(settings), stderr: 'pipe' });
  const stderr = collect(transport.stderr);
  const opened = await openFirst(transport, form);
  return { ...opened, pid: transport.pid ?? -1, stderr };
}

type Opened = StrictOmit<Connection, 'pid' | 'stderr'>;

/** Today's client on any transport. */
export async function openSecond(
  transport: Parameters<Client['connect']>[0],
  { mode, form }: Choices,
): Promise<Opened> {
  const capabilities = form === undefined ? {} : { elicitation: {} };
  const client = new Client(about, { versionNegotiation: { mode }, capabilities });
  if (form !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => fillIn(form, params.message));
  }
  await client.connect(transport);
  return {
    client,
    call: async (name, args) => read(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

/** The client of the maintenance line on any transport. */
export async function openFirst(transport: object, form?: Form): Promise<Opened> {
  const capabilities = form === undefined ? {} : { elicitation: {} };
  const client = new FirstClient(about, { capabilities });
  if (form !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => fillIn(form, params.message));
  }
  await client.connect(transport as never); // its optional members allow undefined
  return {
    client: client as unknown as Requests, // the same requests, typed by another library
    call: async (name, args) => read(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

async function fillIn({ confirm, asked }: Form, message: string) {
  asked.push(message);
  return { action: 'accept' as const, content: { confirm: await confirm } };
}

function read(result: unknown): ToolResult {
  return result as ToolResult; // the result of every tool
}

function collect(stream: unknown): () => string {
  const said: string[] = [];
  (stream as NodeJS.ReadableStream | null)?.on('data', (chunk) => said.push(String(chunk)));
  return () => said.join('');
}
