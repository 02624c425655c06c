import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  createKey,
  insertKey,
  listOf,
  ownerKey,
  type Service,
  startService,
  until,
} from './service.ts';
import { integrityOf, makeFolder, query, runProgram, type Settings } from './support.ts';

const user_id = 'alex';
const path = '/v1/memories/';

async function start(settings: Partial<Settings> = {}): Promise<Service> {
  return startService({ data_dir: await makeFolder(), ...settings });
}

function add(service: Service, body: object, headers = {}): Promise<Answer> {
  return service.send('POST', path, { body: { user_id, ...body }, headers });
}

function remember(service: Service, text: string, headers = {}): Promise<Answer> {
  return add(service, { messages: text, infer: false }, headers);
}

async function textsIn(service: Service): Promise<string[]> {
  const answer = await service.send('GET', `${path}?user_id=${user_id}&page_size=1000`);
  return listOf(answer).map(({ memory }) => String(memory));
}

function statusOf(service: Service, key: string): Promise<number> {
  return service.send('GET', '/v1/ping/', { key }).then(({ status }) => status);
}

async function keyIds(data_dir: string): Promise<unknown[]> {
  const rows = await query<{ key_id: string }>(
    data_dir,
    'select key_id from api_keys order by position desc',
  );
  return rows.map(({ key_id }) => key_id);
}

/** Sentences that take an extractor some time; the seed makes them unique. */
function longText(sentences = 2_000, seed = ''): string {
  return Array.from(
    { length: sentences },
    (_, index) => `My note ${index}${seed && ` on "${seed}"`} says that I like tea.`,
  ).join(' ');
}

function eventsOf({ data_dir }: Service): Promise<unknown[]> {
  return query(data_dir, 'select id from events');
}

/** Sends chunks until there is a response. */
function uploadForever({ url }: Service): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const upload = httpRequest(url + path, {
      method: 'POST',
      headers: { Authorization: `Token ${ownerKey}`, 'Content-Type': 'application/json' },
    });
    const growing = setInterval(() => upload.write(' '.repeat(10_000)), 1);
    upload.on('response', ({ statusCode }) => {
      clearInterval(growing);
      resolve(statusCode);
      upload.destroy();
    });
    upload.on('error', reject);
  });
}

describe('the first key', () => {
  it('is printed once, even if two servers start at once on an empty folder', async () => {
    const settings = { data_dir: await makeFolder(), env: { MNEME_BOOTSTRAP_KEY: '' } };

    const both = await Promise.all([startService(settings), startService(settings)]);
    const later = await startService(settings);

    const printed = both.flatMap(({ stderr }) => stderr().match(/mk_\w+/g) ?? []);
    expect(printed).toHaveLength(1);
    expect(later.stderr()).not.toContain('mk_');
    expect(await statusOf(later, String(printed[0]))).toBe(200);
  });

  it('may be configured, and is then valid after every start', async () => {
    const data_dir = await makeFolder();
    const [one, two] = ['1'.repeat(32), '2'.repeat(32)];
    await startService({ data_dir, env: { MNEME_BOOTSTRAP_KEY: one } });

    const service = await startService({ data_dir, env: { MNEME_BOOTSTRAP_KEY: two } });

    expect(await Promise.all([one, two].map((key) => statusOf(service, key)))).toEqual([200, 200]);
    expect(service.stderr()).not.toMatch(/mk_|1{32}|2{32}/);
  });
});

describe('a key', () => {
  it('stops working within five seconds after it was revoked', async () => {
    const service = await start();
    const { data_dir } = service;
    const key = await createKey(data_dir);
    expect(await statusOf(service, key)).toBe(200);
    const [id] = await keyIds(data_dir);

    await runProgram({ data_dir, flags: ['keys', 'revoke', String(id)] });

    await until(
      () => statusOf(service, key),
      (status) => status === 401,
      { withinMs: 5_000 },
    );
    expect(await statusOf(service, ownerKey)).toBe(200);
  });

  it('records when it was last used', async () => {
    const service = await start();
    const lastUses = () => query(service.data_dir, 'select last_used_at from api_keys');
    expect(await lastUses()).toEqual([{ last_used_at: null }]);

    await statusOf(service, ownerKey);
    service.kill('SIGTERM');
    await service.exited;

    expect(await lastUses()).toEqual([{ last_used_at: expect.stringMatching(/Z$/) }]);
  });

  it('stops working within five seconds after it expired', async () => {
    const service = await start();
    const end = Date.now() + 1_500;
    const key = await insertKey(service.data_dir, new Date(end).toISOString());
    expect(await statusOf(service, key)).toBe(200);

    await until(
      () => statusOf(service, key),
      (status) => status === 401,
      { withinMs: end - Date.now() + 5_000 },
    );

    expect(Date.now()).toBeGreaterThanOrEqual(end);
  });

  it('that is bound to a project reaches only that, also by default', async () => {
    const service = await start();
    const { body } = await service.send('GET', '/v1/ping/');
    const org = `/v1/orgs/${body.org_id}`;
    const made = await service.send('POST', `${org}/projects/`, { body: { name: 'Second' } });
    const project_id = String(made.body.project_id);
    const key = await createKey(service.data_dir, ['--project-id', project_id]);
    const there = { project_id, messages: 'In the second', user_id, infer: false };
    await service.send('POST', path, { body: there });
    const here = await remember(service, 'In the default');

    const own = await service.send('GET', `${path}?user_id=${user_id}`, { key });
    const hidden = await Promise.all([
      service.send('GET', `${path}${listOf(here)[0]?.id}/`, { key }),
      service.send('GET', `${path}?user_id=${user_id}&project_id=${body.project_id}`, { key }),
      service.send('GET', `/v1/projects/${body.project_id}/`, { key }),
      service.send('GET', `${org}/`, { key }),
    ]);
    const refused = await service.send('POST', '/v1/orgs/', { key, body: { name: 'Mine' } });

    expect(listOf(own).map(({ memory }) => memory)).toEqual(['In the second']);
    expect(hidden.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(refused.status).toBe(403);
  });
});

describe('on SIGTERM', () => {
  it('requests in flight are completed, later ones are refused, and it exits with 0', async () => {
    const service = await start();
    const texts = Array.from({ length: 60 }, (_, index) => `Fact number ${index}`);
    await remember(service, 'The first');

    const answers = texts.map((text) => remember(service, text).catch(() => null));
    await Promise.race(answers);
    service.kill('SIGTERM');
    const statuses = (await Promise.all(answers)).map((answer) => answer?.status ?? 'refused');
    const late = await statusOf(service, ownerKey).catch(() => 'refused');

    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(late).toBe('refused');
    expect(statuses.filter((status) => ![200, 503, 'refused'].includes(status))).toEqual([]);
    const stored = await query(service.data_dir, 'select id from memories');
    expect(stored).toHaveLength(1 + statuses.filter((status) => status === 200).length);
    expect(await integrityOf(service.data_dir)).toEqual(['ok']);
  });

  it('it waits for a slow response', async () => {
    const service = await start();
    const messages = longText(1_000);

    const answer = add(service, { messages, async_mode: false });
    await until(
      () => eventsOf(service),
      (events) => events.length > 0,
    );
    service.kill('SIGTERM');

    expect((await answer).status).toBe(200);
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('queued work is returned to the queue, and finished once after the next start', async () => {
    const service = await start({ flags: ['--worker-concurrency', '1'] });
    const { data_dir } = service;
    const facts = Array.from({ length: 20 }, (_, index) => `I have visited place ${index}.`);
    const added: Answer[] = [];
    const adding = facts.map(async (fact) => {
      const answer = await add(service, { messages: `${fact} ${longText(250, fact)}` });
      if (answer.status === 200) added.push(answer);
    });

    // The worker takes one at a time: most of these are still queued when it is told to stop.
    await until(
      () => query(data_dir, 'select id from jobs'),
      (jobs) => jobs.length >= 5,
      { everyMs: 1 },
    );
    service.kill('SIGTERM');
    await Promise.allSettled(adding);
    expect((await service.exited).code).toBe(0);
    const leased = await query(data_dir, 'select id from jobs where lease_owner is not null');
    const waiting = await query(data_dir, 'select id from jobs');
    const next = await startService({ data_dir });
    const events = added.map((answer) => listOf(answer)[0]?.event_id);
    const settled = await until(
      () => Promise.all(events.map((id) => next.send('GET', `/v1/event/${id}/`))),
      (all) => all.every(({ body }) => body.status !== 'PENDING' && body.status !== 'RUNNING'),
      { withinMs: 150_000 }, // 5,000 facts, while other tests run
    );

    expect(leased).toEqual([]);
    expect(waiting.length).toBeGreaterThan(0);
    expect(settled.map(({ body }) => body.status)).toEqual(added.map(() => 'SUCCEEDED'));
    const texts = await query<{ memory: string }>(data_dir, 'select memory from memories');
    const visited = texts.filter(({ memory }) => memory.includes('visited place'));
    expect(visited.length).toBeGreaterThanOrEqual(added.length);
    expect(new Set(visited.map(({ memory }) => memory)).size).toBe(visited.length);
  }, 240_000);
});

describe('pages that need no key', () => {
  it.each(['/healthz', '/readyz', '/openapi.json', '/metrics', '/docs', '/docs/docs.js'])(
    '%s responds with a request id',
    async (page) => {
      const service = await start();

      const answer = await fetch(service.url + page);

      expect(answer.status).toBe(200);
      expect(answer.headers.get('X-Request-ID')).toBeTruthy();
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(10);
    },
  );

  it('/metrics counts requests, and describes the process', async () => {
    const service = await start();
    await statusOf(service, ownerKey);

    const text = await (await fetch(`${service.url}/metrics`)).text();

    expect(text).toContain('mneme_http_requests_total{operation="ping",status="200"} 1');
    expect(text).toContain('mneme_queue_depth 0');
    expect(text).toContain('process_cpu_seconds_total');
  });
});

describe('web pages of other origins', () => {
  const origin = 'https://app.example.com';
  const preflight = {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  };

  it('are allowed if the configuration names them', async () => {
    const service = await start({ flags: ['--cors-origins', origin] });

    const asked = await fetch(`${service.url}/v2/memories/`, preflight);
    const { headers } = await service.send('GET', '/v1/ping/', { headers: { Origin: origin } });

    expect(asked.status).toBe(204);
    expect(asked.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('authorization');
    expect(headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(headers.get('Access-Control-Expose-Headers')).toContain('X-Request-ID');
  });

  it('learn nothing otherwise', async () => {
    const service = await start();

    const asked = await fetch(`${service.url}/v2/memories/`, preflight);

    expect(asked.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('limits', () => {
  it('refuse requests of one key beyond its rate, and of no other', async () => {
    const service = await start({ flags: ['--rate-limit', '3'] });
    const other = await createKey(service.data_dir);

    const answers = [];
    for (let index = 0; index < 4; index += 1) answers.push(await service.send('GET', '/v1/ping/'));
    const [first, , , last] = answers;

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(first?.headers.get('X-RateLimit-Remaining')).toBe('2');
    expect(Number(last?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await statusOf(service, other)).toBe(200);
  });

  it('stop a chunked body that grows too large, and the server continues', async () => {
    const service = await start({ flags: ['--body-max-bytes', '100000'] });

    const status = await uploadForever(service);

    expect(status).toBe(413);
    expect((await remember(service, 'After that')).status).toBe(200);
  });
});

describe('an Idempotency-Key', () => {
  it('lets only one of two servers on one folder carry out the same request', async () => {
    const data_dir = await makeFolder();
    const [one, other] = [await startService({ data_dir }), await startService({ data_dir })];

    const texts = Array.from({ length: 20 }, (_, index) => `Fact number ${index}`);
    const pairs = await Promise.all(
      texts.map((text) => {
        const headers = { 'Idempotency-Key': text };
        return Promise.all([remember(one, text, headers), remember(other, text, headers)]);
      }),
    );

    for (const [first, second] of pairs) {
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(idsIn(first)).toEqual(idsIn(second));
      expect(listOf(first)[0]?.event).toBe('ADD');
    }
    expect((await textsIn(one)).sort()).toEqual([...texts].sort());
    expect(replaysIn(pairs.flat())).toBe(texts.length);
  });

  it('answers the id that it stored after a restart, and refuses another body', async () => {
    const service = await start();
    const { data_dir } = service;
    const headers = { 'Idempotency-Key': 'once' };
    const first = await remember(service, 'Only once', headers);
    service.kill('SIGKILL');
    await service.exited;

    const next = await startService({ data_dir });
    const again = await remember(next, 'Only once', headers);
    const another = await remember(next, 'Something else', headers);

    expect(idsIn(again)).toEqual(idsIn(first));
    expect(another.status).toBe(409);
    expect(await textsIn(next)).toEqual(['Only once']);
  });
});

/** A repeat is answered without texts. */
function idsIn(answer: Answer): unknown[] {
  return listOf(answer).map(({ id }) => id);
}

function replaysIn(answers: readonly Answer[]): number {
  return answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === 'true').length;
}
