import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limits } from '../../../src/contract/limits.ts';
import { describedIn } from '../../rest/described-operations.ts';
import { longTries, rounds, timeFor } from '../../support/rounds.ts';
import { type Held, measured } from './measure.ts';
import { type ProbedService, spawnProbed } from './probed-service.ts';
import { emptyScope, fillScope } from './scopes.ts';
import { textClasses } from './text-classes.ts';
import { type Scope, type TextRequest, textFields, textRequests } from './text-requests.ts';

/**
 * No request holds the event loop for long, whatever text it carries: the texts are of every kind
 * that Unicode's data and the program's languages make (text-classes.ts), in every field that takes
 * one (text-fields.ts), at its greatest length. It prints which held it longest, and where.
 *
 * One kind, or one operation, by itself; both are regular expressions:
 *
 *     MNEME_TEST_CLASS='grow' MNEME_TEST_OPERATION='add_memory messages.*infer true' \
 *       MNEME_TEST_REQUESTS=20 npm test -- test/e2e/loop/texts.test.ts
 */
const classPattern = new RegExp(process.env['MNEME_TEST_CLASS'] ?? '');
const requestPattern = new RegExp(process.env['MNEME_TEST_OPERATION'] ?? '');

const { numRuns, seed } = longTries(5_000, 250);
const requests = Number(process.env['MNEME_TEST_REQUESTS'] ?? numRuns);
const memories = rounds < 20 ? 1_000 : 20_000;

/**
 * The longest that one request may hold the loop, in processor time: ten times what is aimed at,
 * because the profiler takes part of it, and other programs slow the processor.
 */
const stretchMaxMs = 1000;
/** What one takes on a busy machine, with the texts that it is sent beside. */
const requestMaxMs = 2000;
/** What is refused tests little; some texts are none for some fields, such as white space. */
const refusedMax = 0.15;
/** What holds it longer than this is sent once more, so that chance does not count. */
const againMs = 100;

let data_dir: string;
let service: ProbedService;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
  service = await spawnProbed({ data_dir, env: { MNEME_REQUEST_LOG: 'false' } });
}, timeFor(120_000));

afterAll(async () => {
  service.kill('SIGKILL');
  await service.exited;
  await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
});

it(`${requests} requests with texts of every kind hold the loop for moments only`, {
  timeout: timeFor(1_200_000) + requests * requestMaxMs,
}, async () => {
  const any = await requestsToDraw(); // says at once where there are none
  const full = await fillScope(service, 'bench', { memories, seed });
  const fullAgain = await fillScope(service, 'bench-again', { memories, seed });
  const all: Held[] = [];

  for (const request of drawnFrom(any)) {
    const scopes = await scopesFor(all.length, request, [full, fullAgain]);
    all.push(await measured(service, request, { scopes, maxMs: againMs }));
  }

  report(all);
  expect(all.filter(({ status }) => status >= 500).map(described)).toEqual([]);
  const refused = all.filter(({ status }) => status >= 400);
  if (requestPattern.source === '(?:)' && classPattern.source === '(?:)')
    expect(refused.length / all.length).toBeLessThan(refusedMax);
  const long = all.filter(({ longest }) => longest.ms > stretchMaxMs);
  expect(long.map(described)).toEqual([]);
});

/** Who sends it: somebody without memories, with many, or with some of texts of its kind. */
async function scopesFor(
  at: number,
  { beside }: TextRequest,
  [full, again]: [Scope, Scope],
): Promise<[Scope, Scope]> {
  if (at % 3 === 0) return [full, again];
  const scopes: [Scope, Scope] = [
    emptyScope(full, `user-${at}`),
    emptyScope(again, `user-${at}-again`),
  ];
  if (at % 3 === 1) return scopes;
  const messages = Array.from({ length: 4 }, (_, of) => ({
    role: 'user',
    content: `${of} ${beside(limits.memory_text_max_chars / 4)}`,
  }));
  for (const { user_id } of scopes)
    await service.send('POST', '/v1/memories/', { body: { user_id, messages, infer: false } });
  return scopes;
}

async function requestsToDraw(): Promise<fc.Arbitrary<TextRequest>> {
  const text = await (await fetch(`${service.url}/openapi.json`)).text();
  const classes = Object.entries(textClasses).filter(([name]) => classPattern.test(name));
  if (classes.length === 0) throw new Error(`MNEME_TEST_CLASS: no kind matches ${classPattern}`);
  const texts = fc
    .constantFrom(...classes)
    .chain(([name, texts]) => texts.map((one) => ({ ...one, about: `${name}: ${one.about}` })));
  const fields = textFields(describedIn(text).all);
  return textRequests({ fields, texts, asked: requestPattern });
}

/** All of them at once would take more memory than a process has. */
const drawnAtOnce = 50;

function* drawnFrom(any: fc.Arbitrary<TextRequest>): Generator<TextRequest> {
  for (let from = 0; from < requests; from += drawnAtOnce) {
    const numRuns = Math.min(drawnAtOnce, requests - from);
    yield* fc.sample(any, { numRuns, seed: seed + from });
  }
}

/** The ten that held the loop longest, and how many requests were refused. */
function report(all: Held[]): void {
  const ten = all.toSorted((one, other) => other.longest.ms - one.longest.ms).slice(0, 10);
  const refused = all.filter(({ status }) => status >= 400);
  const counts = new Map<string, number>();
  for (const { status, operation } of refused) {
    const kind = `${status} ${operation}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].map(([kind, count]) => `${count} x ${kind}`).join(', ');
  process.stderr.write(
    `seed ${seed}: ${all.length} requests, of which ${refused.length} were refused ` +
      `(${kinds}); ` +
      `the longest stretches:\n${ten.map((held) => `  ${described(held)}\n`).join('')}`,
  );
}

function described({ about, status, cpuMs, longest }: Held): string {
  const functions = longest.functions.map(({ name, ms }) => `${name} ${ms}`).join(', ');
  return (
    `${Math.round(longest.ms)} ms (${Math.round(longest.wallMs)} by the clock, ` +
    `${Math.round(cpuMs)} in all): ${status} ${about}\n      ${functions}`
  );
}
