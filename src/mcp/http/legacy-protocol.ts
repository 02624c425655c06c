import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCNotification,
  type JSONRPCRequest,
  legacyStatelessFallback,
  PerRequestHTTPServerTransport,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { createElicitations, type Elicitations } from './elicitation.ts';
import { jsonRpcError } from './json-rpc-error.ts';
import type { McpSession, McpSessions } from './session.ts';

/** One request of the older era. */
export type LegacyRequest = {
  request: Request;
  /** The parsed body. */
  body: unknown;
  key_id: string;
  /** Creates a server for this request only. */
  createServer: () => Server;
};

export type LegacyProtocol = {
  handle(incoming: LegacyRequest): Promise<Response>;
  /** Cancels all elicitations, so that their calls end. */
  cancelElicitations(): void;
};

const sessionHeader = 'Mcp-Session-Id';

/**
 * Serves revisions up to 2025-11-25 the way the newer one works: each request gets its own server,
 * which ends with the response. Requests that concern another request (the reply to an
 * elicitation, a cancellation) find it by their session.
 */
export function createLegacyProtocol(sessions: McpSessions): LegacyProtocol {
  const state: LegacyState = { sessions, questions: createElicitations(), calls: new Map() };
  return {
    handle: (incoming) => handleMessage(state, incoming),
    cancelElicitations: () => state.questions.rejectAll('the server is shutting down'),
  };
}

type LegacyState = {
  sessions: McpSessions;
  questions: Elicitations;
  /** Calls in progress, by session and id. */
  calls: Map<string, PerRequestHTTPServerTransport>;
};

async function handleMessage(state: LegacyState, incoming: LegacyRequest): Promise<Response> {
  const { request, body, key_id, createServer } = incoming;
  const { sessions, questions } = state;
  if (request.method !== 'POST') return methodNotAllowed();
  if (isJSONRPCRequest(body) && body.method === 'initialize')
    return handleInitialize(state, body, incoming);
  const id = request.headers.get(sessionHeader);
  const session = id === null ? null : await sessions.find(id, key_id);
  if (id !== null && session === null) return jsonRpcError(404, 'Session not found');
  const problem = protocolVersionProblem(request);
  if (problem !== null) return jsonRpcError(400, problem);
  if (isJSONRPCRequest(body)) return handleRequest(state, body, { ...incoming, session });
  if (isJSONRPCNotification(body)) return handleNotification(state, body, session);
  if (isJSONRPCResultResponse(body) || isJSONRPCErrorResponse(body)) {
    if (questions.resolve(body, session)) return new Response(null, { status: 202 });
    return jsonRpcError(400, 'no request is waiting for this response');
  }
  if (!Array.isArray(body)) return jsonRpcError(400, 'the body must be a JSON-RPC 2.0 message');
  return legacyStatelessFallback(createServer)(request, { parsedBody: body });
}

async function handleInitialize(
  state: LegacyState,
  message: JSONRPCRequest,
  incoming: LegacyRequest,
) {
  const response = await handleRequest(state, message, { ...incoming, session: null });
  if (isInitializeRequest(message)) {
    const id = await state.sessions.open(message.params, incoming.key_id);
    response.headers.set(sessionHeader, id);
  }
  return response;
}

/** Answers a request with its own server, which may elicit from the client meanwhile. */
async function handleRequest(
  { questions, calls }: LegacyState,
  message: JSONRPCRequest,
  { session, request, createServer }: LegacyRequest & { session: McpSession | null },
): Promise<Response> {
  const transport = createTransport(request);
  if (session !== null) {
    const name = callKey(session, message.id);
    calls.set(name, transport);
    transport.onclose = () => {
      if (calls.get(name) === transport) calls.delete(name);
    };
  }
  await createServer().connect(transport);
  if (session !== null && canElicit(session, request) && questions.hasCapacity()) {
    await replayInitialize(transport, session);
    questions.attach(transport, session);
  }
  // Rejects when it is closed before there is a response: cancelled, or disconnected.
  return transport.handleMessage(message, { request }).then(withStatusOk, emptyEventStream);
}

/** Notifications get no response. A cancellation ends the call that it names, in its session. */
function handleNotification(
  { calls }: LegacyState,
  { method, params }: JSONRPCNotification,
  session: McpSession | null,
): Response {
  if (method === 'notifications/cancelled' && session !== null) {
    void calls.get(callKey(session, params?.requestId))?.close(); // Closes synchronously.
  }
  return new Response(null, { status: 202 });
}

/** Responds with JSON, or with a stream if anything precedes the result. */
function createTransport(request: Request): PerRequestHTTPServerTransport {
  const responseMode = acceptsEventStream(request) ? 'auto' : 'json';
  return new PerRequestHTTPServerTransport({ classification: { era: 'legacy' }, responseMode });
}

function acceptsEventStream({ headers }: Request): boolean {
  return headers.get('Accept')?.includes('text/event-stream') ?? false;
}

function canElicit({ capabilities }: McpSession, request: Request): boolean {
  return Object.keys(capabilities).length > 0 && acceptsEventStream(request);
}

/** Replays to the server of one request what the client sent at `initialize`. */
async function replayInitialize(
  transport: PerRequestHTTPServerTransport,
  { protocol_version: protocolVersion, capabilities }: McpSession,
): Promise<void> {
  const { send } = transport;
  await new Promise<void>((resolve) => {
    transport.send = async () => resolve();
    const params = { protocolVersion, capabilities, clientInfo: { name: 'client', version: '0' } };
    transport.onmessage?.({ jsonrpc: '2.0', id: 'handshake', method: 'initialize', params });
  });
  transport.send = send;
}

function callKey(session: McpSession, id: unknown): string {
  return `${session.id} ${JSON.stringify(id)}`;
}

/** A JSON-RPC error is a normal response; a 404 would tell the client that its session ended. */
function withStatusOk(response: Response): Response {
  if (response.ok) return response;
  return new Response(response.body, { status: 200, headers: response.headers });
}

/** The response to a cancelled call: an empty stream. */
function emptyEventStream(): Response {
  return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } });
}

/** GET streams and DELETE of sessions are only for servers that keep sessions. */
function methodNotAllowed(): Response {
  return jsonRpcError(405, 'only POST is allowed here', { headers: { Allow: 'POST' } });
}

function protocolVersionProblem({ headers }: Request): string | null {
  const version = headers.get('Mcp-Protocol-Version');
  if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null;
  return `unknown Mcp-Protocol-Version; known are ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
}
