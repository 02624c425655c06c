import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitRequestSchema,
  type ElicitResult as FirstElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Toolset } from '../../src/contract/operation.ts';
import type { Invoke, OperationName } from '../../src/contract.ts';
import { createMcpServer, type McpOptions } from '../../src/mcp/server.ts';
import { callTool } from '../../src/mcp/tools/call-tool.ts';
import type { ToolOptions } from '../../src/mcp/tools/select-tools.ts';
import { type ConfirmationState, createToolServer } from '../../src/mcp/tools/tool-call.ts';

/** All tools, unlocked, for listing. */
export const everything: ToolOptions = {
  toolsets: null,
  tools: null,
  exclude_tools: [],
  read_only: false,
  scope: {},
  lock_scope: false,
};

type Script = { [name in OperationName]?: (input: Record<string, unknown>) => unknown };

/** A port that answers what a test scripts, and keeps what it was asked. */
export function scripted(script: Script) {
  const calls: { name: string; input: Record<string, unknown> }[] = [];
  const invoke: Invoke = async (name, input) => {
    const given = input as Record<string, unknown>;
    calls.push({ name, input: given });
    const answer = script[name];
    if (answer === undefined) throw new Error(`${name} is not in the script`);
    return answer(given) as never; // a script is not typed by operation
  };
  return { invoke, calls };
}

export function optionsFor(invoke: Invoke, changes: Partial<McpOptions> = {}): McpOptions {
  return {
    invoke,
    caller: {
      account_id: null,
      org_id: null,
      project_id: null,
      bound_to: null,
      read_only: false,
    },
    version: '1.2.3',
    ...everything,
    add_wait_ms: 2_000,
    tool_timeout_ms: 60_000,
    result_max_tokens: 8_000,
    confirm_destructive: true,
    admin_approval: 'forms',
    strict_schemas: false,
    secret: async () => 'a secret that replicas share',
    now: Date.now,
    log: () => {},
    ...changes,
  };
}

/** What the user of a client answers when its server asks. */
export type Elicited =
  | { action: 'accept'; content: { confirm: boolean } }
  | { action: 'decline' }
  | { action: 'cancel' };

type Asking = { answer?: Elicited; asked?: string[] };

/** The newer SDK's client, in the era named, with a form when it has an answer to give. */
export async function connect(
  options: McpOptions,
  era: 'legacy' | 'auto' = 'legacy',
  { answer, asked = [] }: Asking = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: era },
      capabilities: answer === undefined ? {} : { elicitation: {} },
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return answer;
    });
  }
  await client.connect(serve(options));
  return client;
}

/** The client of the SDK's maintenance line. */
export async function connectFirst(
  options: McpOptions,
  { answer, asked = [] }: Asking = {},
): Promise<FirstClient> {
  const client = new FirstClient(
    { name: 'test', version: '1' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }): FirstElicitResult => {
      asked.push(params.message);
      return answer;
    });
  }
  await client.connect(serve(options) as never); // the two SDKs' transports differ in optional types only
  return client;
}

/** The client's end of a connection that is served as stdio is. */
function serve(options: McpOptions): InMemoryTransport {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(() => createMcpServer(options), { transport: far });
  return near;
}

type Result = Record<string, unknown>;

/** The text channel of a result. */
export function textOf({ content }: Result): string {
  const [block] = Array.isArray(content) ? content : [];
  return typeof block?.text === 'string' ? block.text : '';
}

/** The structured channel of a result. */
export function dataOf({ structuredContent }: Result): Record<string, unknown> {
  return (structuredContent ?? {}) as Record<string, unknown>;
}

const noForm: ConfirmationState = { elicits: false, answer: null, state: undefined };

/** Calls tools without a connection, as a client that shows no forms unless the test says so. */
export function callOn(options: McpOptions, confirmation: ConfirmationState = noForm) {
  return async (name: string, args: object): Promise<Result> => {
    const { signal } = new AbortController();
    const context = { ...createToolServer(options), signal, confirmation };
    return callTool({ name, arguments: args }, context);
  };
}

export function toolSetOf(...names: Toolset[]): Toolset[] {
  return names;
}
