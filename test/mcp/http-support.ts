import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Caller } from '../../src/contract.ts';
import { createMcpHttp, type McpHttp, type McpHttpOptions } from '../../src/mcp/http.ts';
import type { McpOptions } from '../../src/mcp/server.ts';
import { type Elicited, optionsFor } from './support.ts';

export const caller: Caller = {
  account_id: 'account-1',
  org_id: null,
  project_id: null,
  bound_to: null,
  read_only: false,
};

/** The face over HTTP on what `applyRequestOverrides` takes; web pages of nowhere else may call. */
export function httpOn(
  invoke: McpOptions['invoke'],
  changes: Partial<McpHttpOptions> = {},
): McpHttp {
  const { caller: _caller, ...options } = optionsFor(invoke);
  return createMcpHttp({ ...options, allowed_hosts: null, cors_origins: [], ...changes });
}

/** Who sends a request, and to which address behind `/mcp`. */
export type As = {
  key_id?: string;
  caller?: Caller;
  /** The user to whom the token limits all calls. */
  user_id?: string;
  query?: string;
  headers?: Record<string, string>;
};

const base = 'http://127.0.0.1:8787/mcp';

/** A fetch that ends at the face, as a server calls it that has found out whose key it is. */
export function fetchOn(http: McpHttp, as: As = {}) {
  const { key_id = 'key-1', caller: who = caller, user_id } = as;
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const text = await request.clone().text();
    const body = text === '' ? undefined : JSON.parse(text);
    const held = user_id !== undefined && { user_id };
    return http.handle(request, { caller: who, key_id, body, ...held });
  };
}

type Choices = As & { mode?: 'auto' | 'legacy'; answer?: Elicited; asked?: string[] };

/** A connected client of either era, with a form when it has an answer to give. */
export async function connectHttp(http: McpHttp, choices: Choices = {}): Promise<Client> {
  const { mode = 'legacy', answer, asked = [], query = '', headers = {} } = choices;
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode },
      capabilities: answer === undefined ? {} : { elicitation: {} },
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return answer;
    });
  }
  const fetch = fetchOn(http, choices);
  const transport = new StreamableHTTPClientTransport(new URL(base + query), {
    fetch,
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

type Post = As & { session?: string; version?: string; accept?: string; signal?: AbortSignal };

export const bothTypes = 'application/json, text/event-stream';

/** Posts one message as it is. */
export function post(http: McpHttp, body: unknown, as: Post = {}): Promise<Response> {
  const { session, version, accept = bothTypes, query = '', headers, signal } = as;
  return fetchOn(http, as)(base + query, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: accept,
      ...(session !== undefined && { 'Mcp-Session-Id': session }),
      ...(version !== undefined && { 'Mcp-Protocol-Version': version }),
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

export const elicits = { elicitation: {} };

/** Shakes hands as the older era does, and answers the id of the session. */
export async function openSession(http: McpHttp, capabilities = {}, as: Post = {}) {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'raw', version: '1' },
  };
  const response = await post(http, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, as);
  return response.headers.get('Mcp-Session-Id') ?? '';
}

/** A request of the older era for a tool. */
export function toolCall(name: string, args: object = {}, id: number | string = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

export type Message = {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
};

/** The messages of an answer, one after the other, whether it is JSON or a stream. */
export async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (!response.headers.get('Content-Type')?.includes('event-stream')) {
    yield (await response.json()) as Message; // what every answer is
    return;
  }
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length));
    }
  }
}

/** The one message of an answer that has no more. */
export async function messageOf(response: Response): Promise<Message> {
  for await (const message of messagesOf(response)) return message;
  throw new Error(`an answer without a message: ${response.status}`);
}
