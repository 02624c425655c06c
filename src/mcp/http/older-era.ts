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
import { createQuestions } from './questions.ts';
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
  const questions = createQuestions();
  const calls = new Map<string, PerRequestHTTPServerTransport>();

  const serve = async (message: JSONRPCRequest, asked: OlderRequest, session: Session | null) => {
    const transport = createTransport(asked.request);
    const name = session === null ? null : callName(session, message.id);
    if (name !== null) calls.set(name, transport);
    transport.onclose = () => {
      if (name !== null && calls.get(name) === transport) calls.delete(name);
    };
    await asked.createServer().connect(transport);
    if (session !== null && mayAsk(session, asked.request) && questions.hasRoom()) {
      await repeatHandshake(transport, session);
      questions.attach(transport, session);
    }
    // It fails when it is closed before there is an answer: cancelled, or nobody is there any more.
    return transport.handleMessage(message, { request: asked.request }).then(inBand, nothing);
  };

  const start = async (message: JSONRPCRequest, asked: OlderRequest) => {
    const response = await serve(message, asked, null);
    if (isInitializeRequest(message)) {
      response.headers.set(sessionHeader, await sessions.open(message.params, asked.key_id));
    }
    return response;
  };

  const notice = ({ method, params }: JSONRPCNotification, session: Session | null) => {
    if (method === 'notifications/cancelled' && session !== null) {
      void calls.get(callName(session, params?.requestId))?.close(); // It is closed at once.
    }
    return new Response(null, { status: 202 });
  };

  const handle = async (asked: OlderRequest) => {
    const { request, body, key_id, createServer } = asked;
    if (request.method !== 'POST') return wrongMethod();
    if (isJSONRPCRequest(body) && body.method === 'initialize') return start(body, asked);
    const id = request.headers.get(sessionHeader);
    const session = id === null ? null : await sessions.find(id, key_id);
    if (id !== null && session === null) return refusal(404, 'Session not found');
    const problem = versionProblem(request);
    if (problem !== null) return refusal(400, problem);
    if (isJSONRPCRequest(body)) return serve(body, asked, session);
    if (isJSONRPCNotification(body)) return notice(body, session);
    if (isJSONRPCResultResponse(body) || isJSONRPCErrorResponse(body)) {
      if (questions.reply(body, session)) return new Response(null, { status: 202 });
      return refusal(400, 'nobody waits for this answer');
    }
    if (!Array.isArray(body)) return refusal(400, 'the body must be a JSON-RPC 2.0 message');
    return legacyStatelessFallback(createServer)(request, { parsedBody: body });
  };

  return {
    handle,
    stopAsking: () => questions.end('the server is shutting down'),
  };
}

/** Answers as JSON where nothing comes before the result, else as a stream, if the client reads one. */
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
  const { headers, body, ok } = response;
  return ok ? response : new Response(body, { status: 200, headers });
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
