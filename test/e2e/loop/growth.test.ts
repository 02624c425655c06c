import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { growthMax, timesAsLong } from '../../support/growth.ts';
import { rounds, seed, timeFor } from '../../support/rounds.ts';
import { type ProbedService, spawnProbed, untilInferred } from './probed-service.ts';
import { type Text, textClasses } from './text-classes.ts';

/** By day, those that were once read in quadratic time, and plain text. */
const byDay = new Set(['counted lines', 'counted sentences', 'run of the most growing']);
const classes = Object.entries(textClasses).filter(([name]) => rounds >= 20 || byDay.has(name));

type Analysis = { chars: number; path: string; body(text: string): object };

/** What a service makes of texts, with a length at which linear and quadratic time differ. */
const analyses: Record<string, Analysis> = {
  'stored as it is': {
    chars: 12_000,
    path: '/v1/memories/',
    body: (text) => ({ messages: [{ role: 'user', content: text }], infer: false }),
  },
  inferred: {
    chars: 12_000,
    path: '/v1/memories/',
    body: (text) => ({ messages: [{ role: 'user', content: text }] }),
  },
  searched: { chars: 1_000, path: '/v2/memories/search/', body: (query) => ({ query }) },
  'turned into context': {
    chars: 10_000,
    path: '/v1/context/',
    body: (text) => ({ messages: [{ role: 'user', content: text }] }),
  },
};

let data_dir: string;
let service: ProbedService;
let users = 0;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
  service = await spawnProbed({ data_dir, env: { MNEME_REQUEST_LOG: 'false' } });
});

afterAll(async () => {
  service.kill('SIGKILL');
  await service.exited;
  await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
});

describe.each(Object.entries(analyses))('a text that is %s', (name, { chars, path, body }) => {
  it.each(classes)('takes twice the time when it is twice as long: %s', async (kind, texts) => {
    const [text] = fc.sample(texts, { numRuns: 1, seed });
    const sent = (length: number) => async () => {
      users += 1; // what somebody has already is not stored again
      const json = { ...body(asRead(text, length)), user_id: `user-${users}` };
      const { status } = await service.send('POST', path, { body: json });
      expect(status).toBe(200);
      await untilInferred(service, timeFor(120_000));
    };

    const times = await timesAsLong(sent(chars), sent(2 * chars), cpuMs);

    process.stderr.write(`${name}, ${kind} ${text?.about}: ${times.toFixed(1)} times\n`);
    expect(times).toBeLessThanOrEqual(growthMax);
  });
});

/** A text that has so many characters as it is read, which is what limits count. */
function asRead(text: Text | undefined, chars: number): string {
  const whole = text?.of(chars) ?? '';
  const times = Math.ceil(whole.normalize('NFKC').length / chars);
  return whole.slice(0, Math.floor(chars / times)).toWellFormed();
}

/** Of the service. */
async function cpuMs(work: () => unknown): Promise<number> {
  await service.forget();
  await work();
  return (await service.look()).cpuMs;
}
