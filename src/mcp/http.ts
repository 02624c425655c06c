import { setTimeout as sleep } from 'node:timers/promises';
import {
  createMcpHandler,
  isLegacyRequest,
  PARSE_ERROR,
  type Server,
} from '@modelcontextprotocol/server';
import { ApiError } from '../contract/errors.ts';
import { isObject } from '../contract/is-object.ts';
import type { Caller } from '../contract.ts';
import { changes } from './http/changes.ts';
import { createGuard, type GuardOptions } from './http/guard.ts';
import { createOlderEra } from './http/older-era.ts';
import { refusal } from './http/refusal.ts';
import { createSessions } from './http/session.ts';
import { optionsFor } from './http/wishes.ts';
import type { McpOptions } from './options.ts';
import { createMcpServer } from './server.ts';
import { records, toolName } from './tool.ts';

export { defaultHosts } from './http/guard.ts';

export type McpHttpOptions = Omit<McpOptions, 'caller'> &
  GuardOptions & {
    /** Makes the server of a request: `createMcpServer`, or what a test builds on top of it. */
    createServer?: (options: McpOptions) => Server;
  };

/** Whose request it is, and what it says. */
export type Who = {
  caller: Caller;
  /** The key that was sent; a session works with the one that it was opened with. */
  key_id: string;
  /** Whose memories all calls are held to. */
  user_id?: string;
  /** The JSON of the body, which has been read. */
  body?: unknown;
};

export type McpHttp = {
  /** Refuses what a web page sends that may not call; null lets the request go on. */
  check(request: Request): Response | null;
  /** What a request is about, in a word of few that there are: for logs and metrics. */
  nameOf(body: unknown): string;
  /** Whether a body calls a tool that writes. */
  changes(body: unknown): boolean;
  handle(request: Request, who: Who): Promise<Response>;
  /** A refusal in the words of this protocol. */
  refuse(refused: { status: number; message: string; headers: Record<string, string> }): Response;
  /** Ends streams and questions, and waits for calls in progress, but not for ever. */
  close(): Promise<void>;
};

/** How long `close` waits for calls in progress; the listener waits a little longer. */
const drainMs = 9_000;
const drainPollMs = 10;

/**
 * MCP over Streamable HTTP, both eras of it. Nothing is kept between requests, so that any replica
 * serves any of them: the newer era works like this, and the older is served like this too.
 */
export function createMcpHttp({
  createServer = createMcpServer,
  ...options
}: McpHttpOptions): McpHttp {
  const running = new Set<Server>();
  const serverFor = (own: McpOptions, body: unknown) => {
    const server = createServer(own);
    if (isListening(body)) return server; // A stream that ends when this closes.
    running.add(server);
    server.onclose = () => running.delete(server);
    return server;
  };
  const asked = new WeakMap<Request, () => Server>();
  const newer = createMcpHandler(({ requestInfo }) => createAsked(asked, requestInfo), {
    legacy: 'reject',
    onerror: (error) => options.log('info', 'mcp request', { error }),
  });
  const older = createOlderEra(createSessions(options));

  return {
    check: createGuard(options),
    nameOf,
    changes,
    // 400 is a body that could not be read; what this part refuses itself, it says itself.
    refuse: ({ status, message, headers }) =>
      refusal(status, message, status === 400 ? { headers, code: PARSE_ERROR } : { headers }),
    handle: async (request, { key_id, body = null, ...who }) => {
      const own = wished(options, who, request);
      if (own instanceof Response) return own;
      const create = () => serverFor(own, body);
      if (await isLegacyRequest(request, body)) {
        return older.handle({ request, body, key_id, createServer: create });
      }
      asked.set(request, create);
      return newer.fetch(request, { parsedBody: body });
    },
    close: async () => {
      older.stopAsking();
      for (let waited = 0; running.size > 0 && waited < drainMs; waited += drainPollMs) {
        await sleep(drainPollMs);
      }
      await newer.close();
    },
  };
}

type Held = Pick<Who, 'caller' | 'user_id'>;

function wished(options: Omit<McpOptions, 'caller'>, { caller, user_id }: Held, request: Request) {
  const held = user_id !== undefined && {
    scope: { ...options.scope, user_id },
    lock_scope: true,
  };
  try {
    return optionsFor({ ...options, caller, ...held, elsewhere: true }, request);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid') return refusal(400, error.message);
    throw error;
  }
}

function createAsked(asked: WeakMap<Request, () => Server>, request: Request | undefined): Server {
  const create = request === undefined ? undefined : asked.get(request);
  if (create === undefined) throw new Error('a server was asked for without a request');
  return create();
}

function isListening(body: unknown): boolean {
  return isObject(body) && body.method === 'subscriptions/listen';
}

const methods = [
  ...['initialize', 'server/discover', 'ping', 'tools/list', 'tools/call', 'prompts/list'],
  ...[
    'prompts/get',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'subscriptions/listen',
  ],
  ...['notifications/initialized', 'notifications/cancelled'],
];

/** Only names that this server knows: others would fill up whatever counts them. */
function nameOf(body: unknown): string {
  const { method, params } = isObject(body) ? body : {};
  const name = method === 'tools/call' && isObject(params) ? params.name : undefined;
  const tool = records.map(toolName).find((known) => known === name);
  const known = tool ?? methods.find((one) => one === method);
  return known === undefined ? 'mcp' : `mcp:${known}`;
}
