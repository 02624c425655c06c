import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpOptions } from './options.ts';
import { createMcpServer } from './server.ts';

export type StdioServer = {
  close(): Promise<void>;
  /** Resolves at the end of input, and after `close`. */
  closed: Promise<void>;
};

/** Serves MCP, both eras of it, on this process's standard input and output. */
export function serveOverStdio(options: McpOptions): StdioServer {
  const transport = new StdioServerTransport();
  const { close } = serveStdio(() => createMcpServer(options), {
    transport,
    onerror: (error) => options.log('warn', 'mcp connection', { error }),
  });
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return { close, closed };
}
