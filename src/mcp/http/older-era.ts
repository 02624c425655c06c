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
import { createQuestions, type Questions } from './questions.ts';
import { refusal } from './refusal.ts';
import type { Session, Sessions } from './session.ts';

/** One request of the older era. */
export type OlderRequest = {
  request: Request;
  /** Its body, as JSON. */
  body: unknown;
  key_id: string;
  /** A server of its own for this request. */
  createServer: () => Server;
};

export type OlderEra = {
  handle(asked: OlderRequest): Promise<Response>;
  /** Takes back what clients are being asked, so that the calls it belongs to end. */
  stopAsking(): void;
};

const sessionHeader = 'Mcp-Session-Id';

/**
 * Serves revisions up to 2025-11-25 as the newer one works by itself: each request by a server of
 * its own that is gone with the answer. What must reach a request from another one (the reply to a
 * question, a cancellation) finds it by its session.
 */
export function createOlderEra(sessions: Sessions): OlderEra {
  const parts: Parts = { sessions, questions: createQuestions(), calls: new Map() };
  return {
    handle: (asked) => handle(parts, asked),
    stopAsking: () => parts.questions.end('the server is shutting down'),
  };
}

type Parts = {
  sessions: Sessions;
  questions: Questions;
  /** Calls in progress, by session and id. */
  calls: Map<string, PerRequestHTTPServerTransport>;
};

async function handle(parts: Parts, asked: OlderRequest): Promise<Response> {
  const { request, body, key_id, createServer } = asked;
  const { sessions, questions } = parts;
  if (request.method !== 'POST') return wrongMethod();
  if (isJSONRPCRequest(body) && body.method === 'initialize') return start(parts, body, asked);
  const id = request.headers.get(sessionHeader);
  const session = id === null ? null : await sessions.find(id, key_id);
  if (id !== null && session === null) return refusal(404, 'Session not found');
  const problem = versionProblem(request);
  if (problem !== null) return refusal(400, problem);
  if (isJSONRPCRequest(body)) return serve(parts, body, { ...asked, session });
  if (isJSONRPCNotification(body)) return notice(parts, body, session);
  if (isJSONRPCResultResponse(body) || isJSONRPCErrorResponse(body)) {
    if (questions.reply(body, session)) return new Response(null, { status: 202 });
    return refusal(400, 'nobody waits for this answer');
  }
  if (!Array.isArray(body)) return refusal(400, 'the body must be a JSON-RPC 2.0 message');
  return legacyStatelessFallback(createServer)(request, { parsedBody: body });
}

async function start(parts: Parts, message: JSONRPCRequest, asked: OlderRequest) {
  const response = await serve(parts, message, { ...asked, session: null });
  if (isInitializeRequest(message)) {
    const id = await parts.sessions.open(message.params, asked.key_id);
    response.headers.set(sessionHeader, id);
  }
  return response;
}

/** Answers a request by a server of its own, which may ask the client while it works on it. */
async function serve(
  { questions, calls }: Parts,
  message: JSONRPCRequest,
  { session, request, createServer }: OlderRequest & { session: Session | null },
): Promise<Response> {
  const transport = createTransport(request);
  if (session !== null) {
    const name = callName(session, message.id);
    calls.set(name, transport);
    transport.onclose = () => {
      if (calls.get(name) === transport) calls.delete(name);
    };
  }
  await createServer().connect(transport);
  if (session !== null && mayAsk(session, request) && questions.hasRoom()) {
    await repeatHandshake(transport, session);
    questions.attach(transport, session);
  }
  // It fails when it is closed before there is an answer: cancelled, or nobody is there any more.
  return transport.handleMessage(message, { request }).then(inBand, nothing);
}

/** Nobody answers a notification. One that cancels ends the call that it names, in its session. */
function notice(
  { calls }: Parts,
  { method, params }: JSONRPCNotification,
  session: Session | null,
): Response {
  if (method === 'notifications/cancelled' && session !== null) {
    void calls.get(callName(session, params?.requestId))?.close(); // It is closed at once.
  }
  return new Response(null, { status: 202 });
}

/** Answers as JSON, or as a stream where something comes before the result. */
function createTransport(request: Request): PerRequestHTTPServerTransport {
  const responseMode = readsStreams(request) ? 'auto' : 'json';
  return new PerRequestHTTPServerTransport({ classification: { era: 'legacy' }, responseMode });
}

function readsStreams({ headers }: Request): boolean {
  return headers.get('Accept')?.includes('text/event-stream') ?? false;
}

function mayAsk({ capabilities }: Session, request: Request): boolean {
  return Object.keys(capabilities).length > 0 && readsStreams(request);
}

/** Tells the server of one request what the client said when its session began. */
async function repeatHandshake(
  transport: PerRequestHTTPServerTransport,
  { protocol_version: protocolVersion, capabilities }: Session,
): Promise<void> {
  const { send } = transport;
  await new Promise<void>((resolve) => {
    transport.send = async () => resolve();
    const params = { protocolVersion, capabilities, clientInfo: { name: 'client', version: '0' } };
    transport.onmessage?.({ jsonrpc: '2.0', id: 'handshake', method: 'initialize', params });
  });
  transport.send = send;
}

function callName(session: Session, id: unknown): string {
  return `${session.id} ${JSON.stringify(id)}`;
}

/** An error of JSON-RPC is an answer; HTTP's 404 would tell a client that its session is gone. */
function inBand(response: Response): Response {
  if (response.ok) return response;
  return new Response(response.body, { status: 200, headers: response.headers });
}

/** The answer to a call that nobody wants answered: a stream that ends. */
function nothing(): Response {
  return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } });
}

/** Streams of the server's own and sessions to end are for servers that keep sessions. */
function wrongMethod(): Response {
  return refusal(405, 'only POST is allowed here', { headers: { Allow: 'POST' } });
}

function versionProblem({ headers }: Request): string | null {
  const version = headers.get('Mcp-Protocol-Version');
  if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null;
  return `unknown Mcp-Protocol-Version; known are ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
}
