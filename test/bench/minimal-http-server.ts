// The least that a server over HTTP on this SDK can be, on the same HTTP server as mneme's: what a
// request costs before any key, limit, log or store. It looks at no Host and no Origin.
import { serve } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'minimal', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Answers its text.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  return server;
});

serve(
  { fetch: (request) => handler.fetch(request), port: 0, hostname: '127.0.0.1' },
  ({ port }) => {
    process.stderr.write(`listening on http://127.0.0.1:${port}\n`);
  },
);
