// A route of Hono that answers a constant, its argument: what the libraries alone cost.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const [, , answer = '{}'] = process.argv;
const app = new Hono();
app.get('/v1/memories/:memory_id/', (c) =>
  c.body(answer, 200, { 'Content-Type': 'application/json' }),
);
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stderr.write(`listening on http://127.0.0.1:${port}\n`);
});
