import { describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, listOf, type Service, startService, until } from '../e2e/service.ts';
import { makeFolder } from '../e2e/support.ts';
import { databaseOf, dropDatabase, inDatabase, isPostgres } from '../support/database.ts';
import { startStallingProxy } from '../support/stalling-proxy.ts';

const user_id = 'alex';

/** Of a statement, and so of what a stalled network may take. */
const timeoutMs = 1_500;

describe.skipIf(!isPostgres)('a service whose network to the database stalls', () => {
  it('refuses within its limit, recovers by itself, and stores once what was sent again', {
    timeout: 120_000,
  }, async () => {
    const { service, proxy, texts } = await start();
    expect((await add(service, 'Before')).status).toBe(200);

    proxy.stall();
    const sent = Array.from({ length: 12 }, (_, index) => `Fact ${index}`);
    const refused = await Promise.all(sent.map((text) => add(service, text)));
    const read = await search(service);
    proxy.resume();
    const again = await Promise.all(sent.map((text) => addUntilDone(service, text)));

    expect(refused.map(statusAndRetry)).toEqual(sent.map(() => '503 true'));
    expect(read.status).toBe(503);
    expect(again.map(({ status }) => status)).toEqual(sent.map(() => 200));
    expect((await search(service)).status).toBe(200);
    expect((await texts()).toSorted()).toEqual(['Before', ...sent].toSorted());
  });

  it('does what was queued meanwhile, once', { timeout: 120_000 }, async () => {
    const { service, proxy, texts } = await start();
    const queued = ['Alex has visited Bern.', 'Alex has visited Oslo.', 'Alex has visited Rome.'];
    const body = (messages: string) => ({ user_id, messages });
    const answers = await Promise.all(
      queued.map((text) => service.send('POST', '/v1/memories/', { body: body(text) })),
    );

    proxy.stall();
    expect((await search(service)).status).toBe(503);
    proxy.resume();

    const ids = answers.map((answer) => String(listOf(answer)[0]?.event_id));
    for (const id of ids) {
      await until(
        () => service.send('GET', `/v1/event/${id}/`),
        ({ body: event }) => event.status === 'SUCCEEDED',
        { withinMs: 60_000, everyMs: 200 },
      );
    }
    expect((await texts()).toSorted()).toEqual(queued.toSorted());
  });
});

/** A service that reaches its database through a proxy. */
async function start() {
  const data_dir = await makeFolder();
  const { database } = await databaseOf(data_dir);
  if (database === undefined) throw new Error('these tests need a server');
  onTestFinished(() => dropDatabase(data_dir));
  const url = new URL(database.url);
  const proxy = await startStallingProxy(Number(url.port));
  onTestFinished(() => proxy.stop());
  url.host = `127.0.0.1:${proxy.port}`;
  const service = await startService({
    data_dir,
    env: {
      MNEME_DATABASE_URL: url.href,
      MNEME_DATABASE_TIMEOUT_MS: String(timeoutMs),
      MNEME_LEASE_MS: '2000',
      MNEME_REQUEST_LOG: 'false',
    },
  });
  const texts = () =>
    inDatabase(data_dir, async (client) => {
      const { rows } = await client.query<{ memory: string }>('select memory from mneme.memories');
      return rows.map(({ memory }) => memory);
    });
  return { service, proxy, texts };
}

function add({ send }: Service, messages: string): Promise<Answer> {
  const headers = { 'Idempotency-Key': messages };
  return send('POST', '/v1/memories/', { headers, body: { user_id, messages, infer: false } });
}

/** As clients should: until it is acknowledged. */
function addUntilDone(service: Service, text: string): Promise<Answer> {
  return until(
    () => add(service, text),
    ({ status }) => status === 200,
    { withinMs: 60_000, everyMs: 200 },
  );
}

function search({ send }: Service): Promise<Answer> {
  return send('POST', '/v2/memories/search/', { body: { query: 'fact', filters: { user_id } } });
}

function statusAndRetry({ status, headers }: Answer): string {
  return `${status} ${headers.get('Retry-After') !== null}`;
}
