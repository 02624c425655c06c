import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSentences } from '../bench/sentences.ts';
import { type Described, describedIn } from '../rest/described-operations.ts';
import { mutatedDrafts, type Pool, textOf, urlOf, validDrafts } from '../rest/random-requests.ts';
import { rounds, seed, timeFor } from '../support/rounds.ts';
import { heavyRequests, user_id } from './heavy-requests.ts';
import { type Body, listOf, ownerKey, type Service, spawnService, until } from './service.ts';
import { integrityOf } from './support.ts';

/** At night; otherwise a twentieth. */
const [requests, memories] = rounds < 20 ? [1_000, 1_000] : [20_000, 20_000];

/** Of all requests; the others are small ones of every operation. */
const heavyShare = 0.02;

/** They empty or move the place that the others work in; rest/generated.test.ts sends them. */
const elsewhere =
  /^(?:delete_all|delete_entit|erase_|delete_user)|organization|project|member|invitation/;

/**
 * The heap that the service may have: about twice what its heaviest request needs at once. One that
 * keeps what it was sent ends. (Its resident memory tells little: a heap that may grow, grows.)
 */
const heapMaxMb = 384;

type Sent = { method: string; url: string; body: string | undefined };
type Held = Sent & { seconds: number };

let data_dir: string;
let service: Service;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
  const NODE_OPTIONS = `--max-old-space-size=${heapMaxMb}`;
  service = await spawnService({ data_dir, env: { MNEME_REQUEST_LOG: 'false', NODE_OPTIONS } });
  const texts = makeSentences(memories, seed).map(({ text }) => text);
  for (let start = 0; start < texts.length; start += 500) {
    const messages = texts.slice(start, start + 500).map((content) => ({ role: 'user', content }));
    await service.send('POST', '/v1/memories/', { body: { user_id, messages, infer: false } });
  }
}, timeFor(120_000));

afterAll(async () => {
  service.kill('SIGKILL');
  await service.exited;
  await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
});

it(`${requests} random requests beside ${memories} memories are answered without a failure`, {
  timeout: timeFor(600_000),
}, async () => {
  const all = await draw();
  const failed: string[] = [];
  const held: Held[] = [];
  await lookAtDelay();

  for (const sent of all) {
    const status = await statusOf(sent);
    if (status >= 500) failed.push(`${status} ${described(sent)}`);
    held.push({ ...sent, seconds: await lookAtDelay() });
  }
  await until(
    () => metric('mneme_queue_depth'),
    (depth) => depth === 0,
    { withinMs: timeFor(300_000), everyMs: 200 },
  );

  report(held);
  expect(failed).toEqual([]);
  expect(await integrityOf(data_dir)).toEqual(['ok']);
});

/** Which requests kept others waiting longest; how long is nothing that a test asserts. */
function report(held: Held[]): void {
  const [first, ...others] = held.sort((one, other) => other.seconds - one.seconds).slice(0, 5);
  if (first === undefined) return;
  const ms = ({ seconds }: Held) => `${Math.round(seconds * 1000)} ms`;
  process.stderr.write(
    `seed ${seed}: the event loop was held for at most ${ms(first)}, by ${described(first)}\n` +
      others.map((one) => `  then ${ms(one)}, by ${described(one)}\n`).join(''),
  );
}

function described({ method, url, body = '' }: Sent): string {
  return `${method} ${url.slice(0, 200)} ${body.length} ${JSON.stringify(body.slice(0, 200))}`;
}

/** Small requests of every operation, and heavy ones among them. */
async function draw(): Promise<Sent[]> {
  const text = await (await fetch(`${service.url}/openapi.json`)).text();
  const body = { filters: { user_id }, page_size: 1000 };
  const listed = listOf(await service.send('POST', '/v2/memories/', { body }));
  const ids = listed.map(({ id }) => String(id));
  const heavy = heavyRequests(ids).map(({ method, path, json }) => ({
    method,
    url: path,
    body: JSON.stringify(json),
  }));
  const small = smallRequests(describedIn(text).all, await poolOf(ids));
  const weight = Math.round(1 / heavyShare) - 1;
  const any = fc.oneof({ weight, arbitrary: small }, { weight: 1, arbitrary: heavy });
  return fc.sample(any, { numRuns: requests, seed });
}

function smallRequests(all: readonly Described[], pool: Pool): fc.Arbitrary<Sent> {
  const kept = all.filter(({ operation }) => !elsewhere.test(operation));
  return fc.constantFrom(...kept).chain((described) =>
    fc.oneof(validDrafts(described, pool), mutatedDrafts(described, pool)).map((draft) => ({
      method: draft.method,
      url: urlOf(described, draft),
      body: draft.method === 'GET' ? undefined : textOf(draft),
    })),
  );
}

async function poolOf(ids: readonly string[]): Promise<Pool> {
  const { body } = await service.send('GET', '/v1/ping/');
  const { org_id, project_id } = body as Body;
  return {
    memory_id: ids.slice(0, 20),
    memory_ids: [ids.slice(0, 1), ids.slice(1, 4)],
    org_id: [org_id],
    project_id: [project_id],
    user_id: [user_id],
    entity_id: [user_id],
    filters: [{ user_id }, { AND: [{ user_id }, { created_at: { gte: '2026-01-01' } }] }],
    query: ['bike', 'Who bought the green lamp?'],
  };
}

async function statusOf({ method, url, body }: Sent): Promise<number> {
  const answer = await fetch(service.url + url, {
    method,
    headers: {
      Authorization: `Token ${ownerKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** The longest time that the loop was held since the last look, in seconds. */
function lookAtDelay(): Promise<number> {
  return metric('mneme_event_loop_delay_seconds');
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
