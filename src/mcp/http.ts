import { setTimeout as sleep } from 'node:timers/promises';
import {
  createMcpHandler,
  isLegacyRequest,
  PARSE_ERROR,
  type Server,
} from '@modelcontextprotocol/server';
import { ApiError } from '../contract/errors.ts';
import { isObject } from '../contract/is-object.ts';
import { isReadOnly } from '../contract/operation.ts';
import type { StrictOmit } from '../contract/strict-omit.ts';
import type { Caller } from '../contract.ts';
import { jsonRpcError } from './http/json-rpc-error.ts';
import { createLegacyProtocol } from './http/legacy-protocol.ts';
import { createOriginGuard, type OriginGuardOptions } from './http/origin-guard.ts';
import { applyRequestOverrides } from './http/request-overrides.ts';
import { createSessions } from './http/session.ts';
import { withoutNullFields } from './null-fields.ts';
import { createMcpServer } from './server.ts';
import type { McpOptions } from './tools/options.ts';
import { findTool, toolName, toolRecords } from './tools/select-tools.ts';

export { defaultAllowedHosts } from './http/origin-guard.ts';

export type McpHttpOptions = StrictOmit<McpOptions, 'caller'> &
  OriginGuardOptions & {
    /** Creates the server of a request: `createMcpServer`, or a wrapper of a test. */
    createServer?: (options: McpOptions) => Server;
  };

/** The caller and the body of a request. */
export type AuthenticatedRequest = {
  caller: Caller;
  /** The key that was sent; a session works only with the key that opened it. */
  key_id: string;
  /** All calls are limited to the memories of this user. */
  user_id?: string;
  /** The parsed JSON body. */
  body?: unknown;
};

export type McpHttp = {
  /** Refuses requests of web pages that are not allowed; null lets the request go on. */
  check(request: Request): Response | null;
  /** A label for logs and metrics, from a small fixed set. */
  nameOf(body: unknown): string;
  /** Whether a body calls a tool that writes. */
  changes(body: unknown): boolean;
  handle(request: Request, who: AuthenticatedRequest): Promise<Response>;
  /** A refusal in the form of this protocol. */
  refuse(refused: { status: number; message: string; headers: Record<string, string> }): Response;
  /** Ends streams and elicitations, and waits a limited time for calls in progress. */
  close(): Promise<void>;
};

/** How long `close` waits for calls in progress; the listener waits a little longer. */
const drainTimeoutMs = 9_000;
const drainPollMs = 10;

/**
 * MCP over Streamable HTTP, both eras. Nothing is kept between requests, so that any replica can
 * serve any of them: the newer era is stateless by design, and the older one is served the same
 * way.
 */
export function createMcpHttp({
  createServer = createMcpServer,
  ...options
}: McpHttpOptions): McpHttp {
  const servers = new Set<Server>();
  const serverFor = (own: McpOptions, body: unknown) => {
    const server = createServer(own);
    if (isSubscription(body)) return server; // Not counted: a stream that ends when this closes.
    servers.add(server);
    server.onclose = () => servers.delete(server);
    return server;
  };
  const serverFactories = new WeakMap<Request, () => Server>();
  const newer = createMcpHandler(
    ({ requestInfo }) => createServerFor(serverFactories, requestInfo),
    {
      legacy: 'reject',
      onerror: (error) => options.log('info', 'mcp request failed', { error }),
    },
  );
  const older = createLegacyProtocol(createSessions(options));

  return {
    check: createOriginGuard(options),
    nameOf: requestLabel,
    changes: callsWritingTool,
    // A 400 from here means that the body could not be parsed.
    refuse: ({ status, message, headers }) =>
      jsonRpcError(status, message, status === 400 ? { headers, code: PARSE_ERROR } : { headers }),
    handle: async (request, { key_id, body: sent = null, ...who }) => {
      const body = withoutNullFields(sent);
      const ownOptions = requestOptions(options, who, request);
      if (ownOptions instanceof Response) return ownOptions;
      const create = () => serverFor(ownOptions, body);
      if (await isLegacyRequest(request, body)) {
        return older.handle({ request, body, key_id, createServer: create });
      }
      serverFactories.set(request, create);
      return newer.fetch(request, { parsedBody: body });
    },
    close: async () => {
      older.cancelElicitations();
      for (let elapsed = 0; servers.size > 0 && elapsed < drainTimeoutMs; elapsed += drainPollMs) {
        await sleep(drainPollMs);
      }
      await newer.close();
    },
  };
}

type AuthenticatedCaller = Pick<AuthenticatedRequest, 'caller' | 'user_id'>;

function requestOptions(
  options: StrictOmit<McpOptions, 'caller'>,
  { caller, user_id }: AuthenticatedCaller,
  request: Request,
) {
  const scope = user_id !== undefined && {
    scope: { ...options.scope, user_id },
    lock_scope: true,
  };
  try {
    return applyRequestOverrides({ ...options, caller, ...scope, elsewhere: true }, request);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid')
      return jsonRpcError(400, error.message);
    throw error;
  }
}

function createServerFor(
  serverFactories: WeakMap<Request, () => Server>,
  request: Request | undefined,
): Server {
  const create = request === undefined ? undefined : serverFactories.get(request);
  if (create === undefined) throw new Error('no request to create a server for');
  return create();
}

function isSubscription(body: unknown): boolean {
  return isObject(body) && body.method === 'subscriptions/listen';
}

const knownMethods = `
  initialize server/discover ping tools/list tools/call prompts/list prompts/get
  resources/list resources/templates/list resources/read subscriptions/listen
  notifications/initialized notifications/cancelled
`
  .trim()
  .split(/\s+/);

/** Only known names: arbitrary ones would let metrics grow without limit. */
function requestLabel(body: unknown): string {
  const { method, params } = isObject(body) ? body : {};
  const name = method === 'tools/call' && isObject(params) ? params.name : undefined;
  const tool = toolRecords.map(toolName).find((candidate) => candidate === name);
  const methodName = tool ?? knownMethods.find((one) => one === method);
  return methodName === undefined ? 'mcp' : `mcp:${methodName}`;
}

/** Whether a body, or one message of it, calls a tool that writes. */
function callsWritingTool(body: unknown): boolean {
  return (Array.isArray(body) ? body : [body]).some(isWritingCall);
}

function isWritingCall(message: unknown): boolean {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) {
    return false;
  }
  const { name, arguments: args } = message.params;
  try {
    const record = findTool(String(name), args);
    return record !== null && !isReadOnly(record.operation);
  } catch {
    return false; // Not an action: the call itself is refused with the reason.
  }
}
