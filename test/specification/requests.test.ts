import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Server, startServer } from '../clients/server.ts';
import { alternatePaths, detailedPaths } from '../contract/published-paths.ts';
import { until } from '../e2e/service.ts';
import { fill, makeFixture } from './fixture.ts';
import { alternate, detailed, type Row } from './requests.ts';

/** Both listings of the specification, as anyone may call them: a key, JSON, nothing else. */
describe('the specification', () => {
  let server: Server;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  const listings = [
    ['4.1 to 4.6', detailed, detailedPaths],
    ['4.7', alternate, alternatePaths],
  ] as const;

  it.each(listings)('has every path of %s among these requests', (_section, rows, paths) => {
    const called = rows.map(({ method, path }) => `${method} ${path}`);

    expect(new Set(called)).toEqual(new Set(paths.map((path) => path.join(' '))));
  });

  describe.each(listings)('in its section %s', (_section, rows) => {
    it.each(rows)('$method $path: $about', async (row: Row) => {
      const { method, path, query, body, status, shape } = row;
      const fixture = await makeFixture(server);
      const search = query === undefined ? '' : `?${new URLSearchParams(query(fixture))}`;
      const request = { ...(body && { body: body(fixture) }) };

      // An export is ready after a moment, which its status says.
      const answer = await until(
        () => server.send(method, fill(path, fixture) + search, request),
        (last) => last.status !== 202,
      );

      expect(answer).toMatchObject({ status });
      if (shape === null) expect(answer.headers.get('Content-Type')).toBeNull();
      else expect(problemsOf(shape, answer.body)).toBe('');
    });
  });

  it('needs no slash at the end of a path', async () => {
    const { memory_id } = await makeFixture(server);

    const answers = [
      await server.send('POST', '/v1/exports/get', { body: { filters: { user_id: 'nobody' } } }),
      await server.send('GET', `/v1/memories/${memory_id}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });
});

function problemsOf(shape: z.ZodType, body: unknown): string {
  const { error } = shape.safeParse(body);
  return error === undefined ? '' : `${z.prettifyError(error)}\n${JSON.stringify(body)}`;
}
