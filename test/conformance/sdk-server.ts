import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type HttpListener, listen } from '../../src/rest/server/listen.ts';
import { addFixtures } from './fixtures/server.ts';

/**
 * The fixtures on the SDK and nothing else: its handler for the newer era, its transport with
 * sessions for the older. What this fails, no server on the SDK can be asked to pass.
 */
export function startSdkServer(): Promise<HttpListener> {
  const newer = createMcpHandler(createServer, { legacy: 'reject' });
  const older = createOlder();
  const handle = async (request: Request) =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    ((await isLegacyRequest(request)) ? older(request) : newer.fetch(request));
  return listen(handle, { host: '127.0.0.1', port: 0 });
}

function createServer(): Server {
  return addFixtures(new Server({ name: 'fixtures', version: '1.0.0' }));
}

/** A server and its transport for each session. */
function createOlder(): (request: Request) => Promise<Response> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const known = sessions.get(request.headers.get('Mcp-Session-Id') ?? '');
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
    });
    await createServer().connect(transport);
    return transport.handleRequest(request);
  };
}
