import { finished, PassThrough } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './server.ts';
import type { McpOptions } from './tools/options.ts';

export type StdioServer = {
  close(): Promise<void>;
  /** Resolves at the end of input, and after `close`. */
  closed: Promise<void>;
};

/** How long the end of input waits for answers, beyond what an add may wait for its event. */
const drainTimeoutMs = 2000;
const drainPollMs = 10;

/**
 * Serves MCP, both eras of it, on this process's standard input and output. What was asked before
 * the end of input is still answered.
 */
export function serveOverStdio(options: McpOptions): StdioServer {
  const input = new PassThrough();
  const transport = new StdioServerTransport(input);
  const { close } = serveStdio(() => createMcpServer(options), {
    transport,
    onerror: (error) => options.log('warn', 'mcp connection', { error }),
  });
  const open = trackRequests(transport);
  reportUnreadable(transport);
  process.stdin.pipe(input, { end: false });
  // Its end, its loss and its failure are the same to a server: nobody asks any more.
  finished(process.stdin, { writable: false }, async () => {
    await drain(open, options.add_wait_ms + drainTimeoutMs);
    input.end();
  });
  return { close, closed: whenClosed(transport, () => process.stdin.unpipe(input).pause()) };
}

/** Ids of the requests that are not answered yet, kept up to date. */
function trackRequests(transport: StdioServerTransport): ReadonlySet<unknown> {
  const open = new Set<unknown>();
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) open.add(message.id);
    else open.delete(cancelledId(message)); // is never answered
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
  await nextTurn(); // what was just read is still on its way to the server
  for (let waited = 0; open.size > 0 && waited < longestMs; waited += drainPollMs) {
    await sleep(drainPollMs);
  }
}

/** The SDK drops what it can't read, and the connection over what is too large; this says why. */
function reportUnreadable(transport: StdioServerTransport): void {
  const { onerror } = transport;
  transport.onerror = (error: Error) => {
    const message = unreadableReason(error);
    onerror?.(message === null ? error : new Error(message));
    if (message === null) return;
    const answer = { code: ProtocolErrorCode.InvalidRequest, message };
    transport.send({ jsonrpc: '2.0', error: answer }).catch(() => {}); // nobody may be there
  };
}

/** What is wrong with a line, in words; null for a failure of the connection itself. */
function unreadableReason(error: Error): string | null {
  if (error.message.includes('maximum size')) {
    return `a message may hold at most ${STDIO_DEFAULT_MAX_BUFFER_SIZE} bytes; closing`;
  }
  // The schema of messages says at length how the line fits none of them.
  const ignored = 'a line must hold one JSON-RPC 2.0 message; this one is ignored';
  return 'issues' in error ? ignored : null;
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
