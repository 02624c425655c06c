import { describe, expect, it } from 'vitest';
import { clientOf, goodKey } from './support.ts';

const json = { 'Content-Type': 'application/json' };
const headers = { Authorization: `Token ${goodKey}`, ...json };
const mount = {
  path: '/mcp',
  check: () => null,
  nameOf: () => 'mcp',
  changes: () => false,
  handle: async () => Response.json({ jsonrpc: '2.0' }),
  refuse: ({ status }: { status: number }) => new Response(null, { status }),
};
const ping = () => ({ status: 'ok', org_id: 'o', project_id: 'p', user_email: 'e' });
const { app } = clientOf({ ping }, { mounts: [mount] });

async function sent(path: string, init: RequestInit = {}) {
  const answer = await app.request(path, { headers, ...init });
  const of = (name: string) => answer.headers.get(name);
  return [answer.status, of('X-Content-Type-Options'), of('Cache-Control')];
}

describe('a response', () => {
  it.each<[number, string, RequestInit]>([
    [200, '/v1/ping/', {}],
    [401, '/v1/ping/', { headers: {} }],
    [404, '/nowhere', {}],
    [400, '/v1/memories/', { method: 'POST', body: '{' }],
    [200, '/mcp', { method: 'POST', body: '{}' }],
    [401, '/mcp', { method: 'POST', body: '{}', headers: json }],
    [200, '/healthz', {}],
    [200, '/openapi.json', {}],
  ])('of %i at %s is kept by no cache and read as no other type', async (status, path, init) => {
    expect(await sent(path, init)).toEqual([status, 'nosniff', 'no-store']);
  });

  it('is read as no other type where caches may keep it', async () => {
    expect(await sent('/docs')).toEqual([200, 'nosniff', 'no-cache']);
  });
});
