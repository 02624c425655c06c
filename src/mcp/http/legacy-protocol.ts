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
  /** Its body, as JSON. */
  body: unknown;
  key_id: string;
  /** A server of its own for this request. */
  createServer: () => Server;
};

export type LegacyProtocol = {
  handle(asked: LegacyRequest): Promise<Response>;
  /** Takes back what clients are being asked, so that the calls it belongs to end. */
  cancelElicitations(): void;
};

const sessionHeader = 'Mcp-Session-Id';

/**
 * Serves revisions up to 2025-11-25 as the newer one works by itself: each request by a server of
 * its own that is gone with the answer. What must reach a request from another one (the reply to a
 * question, a cancellation) finds it by its session.
 */
export function createLegacyProtocol(sessions: McpSessions): LegacyProtocol {
  const parts: LegacyState = { sessions, questions: createElicitations(), calls: new Map() };
  return {
    handle: (asked) => handleMessage(parts, asked),
    cancelElicitations: () => parts.questions.rejectAll('the server is shutting down'),
  };
}

type LegacyState = {
  sessions: McpSessions;
  questions: Elicitations;
  /** Calls in progress, by session and id. */
  calls: Map<string, PerRequestHTTPServerTransport>;
};

async function handleMessage(parts: LegacyState, asked: LegacyRequest): Promise<Response> {
  const { request, body, key_id, createServer } = asked;
  const { sessions, questions } = parts;
  if (request.method !== 'POST') return methodNotAllowed();
  if (isJSONRPCRequest(body) && body.method === 'initialize')
    return handleInitialize(parts, body, asked);
  const id = request.headers.get(sessionHeader);
  const session = id === null ? null : await sessions.find(id, key_id);
  if (id !== null && session === null) return jsonRpcError(404, 'Session not found');
  const problem = protocolVersionProblem(request);
  if (problem !== null) return jsonRpcError(400, problem);
  if (isJSONRPCRequest(body)) return handleRequest(parts, body, { ...asked, session });
  if (isJSONRPCNotification(body)) return handleNotification(parts, body, session);
  if (isJSONRPCResultResponse(body) || isJSONRPCErrorResponse(body)) {
    if (questions.resolve(body, session)) return new Response(null, { status: 202 });
    return jsonRpcError(400, 'nobody waits for this answer');
  }
  if (!Array.isArray(body)) return jsonRpcError(400, 'the body must be a JSON-RPC 2.0 message');
  return legacyStatelessFallback(createServer)(request, { parsedBody: body });
}

async function handleInitialize(parts: LegacyState, message: JSONRPCRequest, asked: LegacyRequest) {
  const response = await handleRequest(parts, message, { ...asked, session: null });
  if (isInitializeRequest(message)) {
    const id = await parts.sessions.open(message.params, asked.key_id);
    response.headers.set(sessionHeader, id);
  }
  return response;
}

/** Answers a request by a server of its own, which may ask the client while it works on it. */
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
  // It fails when it is closed before there is an answer: cancelled, or nobody is there any more.
  return transport.handleMessage(message, { request }).then(withStatusOk, emptyEventStream);
}

/** Nobody answers a notification. One that cancels ends the call that it names, in its session. */
function handleNotification(
  { calls }: LegacyState,
  { method, params }: JSONRPCNotification,
  session: McpSession | null,
): Response {
  if (method === 'notifications/cancelled' && session !== null) {
    void calls.get(callKey(session, params?.requestId))?.close(); // It is closed at once.
  }
  return new Response(null, { status: 202 });
}

/** Answers as JSON, or as a stream where something comes before the result. */
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

/** Tells the server of one request what the client said when its session began. */
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

/** An error of JSON-RPC is an answer; HTTP's 404 would tell a client that its session is gone. */
function withStatusOk(response: Response): Response {
  if (response.ok) return response;
  return new Response(response.body, { status: 200, headers: response.headers });
}

/** The answer to a call that nobody wants answered: a stream that ends. */
function emptyEventStream(): Response {
  return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } });
}

/** Streams of the server's own and sessions to end are for servers that keep sessions. */
function methodNotAllowed(): Response {
  return jsonRpcError(405, 'only POST is allowed here', { headers: { Allow: 'POST' } });
}

function protocolVersionProblem({ headers }: Request): string | null {
  const version = headers.get('Mcp-Protocol-Version');
  if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null;
  return `unknown Mcp-Protocol-Version; known are ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
}
