import { finished } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { readableLines } from './readable-lines.ts';
import { createMcpServer } from './server.ts';
import type { McpOptions } from './tools/options.ts';

export type StdioServer = {
  close(): Promise<void>;
  /** Resolves at the end of input, and after `close`. */
  closed: Promise<void>;
};

/** How long the end of input waits for responses, in addition to the wait of an add. */
const drainTimeoutMs = 2000;
const drainPollMs = 10;

/**
 * Serves MCP, both eras, on standard input and output. Requests that arrive before the end of
 * input are still answered.
 */
export function serveOverStdio(options: McpOptions): StdioServer {
  const input = readableLines((id) => {
    const message = 'a line must hold one JSON-RPC 2.0 message; this one is ignored';
    options.log('warn', 'mcp connection error', { error: new Error(message) });
    refuse(transport, message, id);
  });
  const transport = new StdioServerTransport(input);
  const { close } = serveStdio(() => createMcpServer(options), {
    transport,
    onerror: (error) => options.log('warn', 'mcp connection error', { error }),
  });
  const open = trackRequests(transport);
  reportTooLarge(transport);
  process.stdin.pipe(input, { end: false });
  // The input ended, closed or failed: in each case no more requests can come.
  finished(process.stdin, { writable: false }, async () => {
    await drain(open, options.add_wait_ms + drainTimeoutMs);
    input.end();
  });
  return { close, closed: whenClosed(transport, () => process.stdin.unpipe(input).pause()) };
}

/** The ids of unanswered requests, kept up to date. */
function trackRequests(transport: StdioServerTransport): ReadonlySet<unknown> {
  const open = new Set<unknown>();
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) open.add(message.id);
    else open.delete(cancelledId(message)); // a cancelled request gets no response
    onmessage?.(message);
  };
  transport.send = async (message: JSONRPCMessage) => {
    await send(message);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      open.delete(message.id);
    }
  };
  return open;
}

function cancelledId(message: JSONRPCMessage): unknown {
  const cancels = 'method' in message && message.method === 'notifications/cancelled';
  return cancels ? message.params?.requestId : undefined;
}

async function drain(open: ReadonlySet<unknown>, longestMs: number): Promise<void> {
  await nextTurn(); // requests just read are still on their way to the server
  for (let elapsed = 0; open.size > 0 && elapsed < longestMs; elapsed += drainPollMs) {
    await sleep(drainPollMs);
  }
}

/** The SDK closes the connection after a message that is too large; this reports the reason. */
function reportTooLarge(transport: StdioServerTransport): void {
  const { onerror } = transport;
  transport.onerror = (error: Error) => {
    if (!error.message.includes('maximum size')) return onerror?.(error);
    const message = `a message may hold at most ${STDIO_DEFAULT_MAX_BUFFER_SIZE} bytes; closing`;
    onerror?.(new Error(message));
    refuse(transport, message);
  };
}

function refuse(transport: StdioServerTransport, message: string, id?: string | number): void {
  const error = { code: ProtocolErrorCode.InvalidRequest, message };
  const answer = id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error };
  transport.send(answer as JSONRPCErrorResponse).catch(() => {}); // the client may be gone
}

function whenClosed(transport: StdioServerTransport, release: () => void): Promise<void> {
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      release();
      resolve();
    };
  });
}
