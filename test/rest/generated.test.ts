import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRouter } from '../../src/rest/operations/router.ts';
import { tries } from '../support/rounds.ts';
import { type Described, describedIn } from './described-operations.ts';
import { type Draft, mutatedDrafts, textOf, urlOf, validDrafts } from './random-requests.ts';
import { type Seeded, startSeeded } from './seeded-service.ts';
import { clientOf } from './support.ts';

/** A failure names its own seed and path. */
const valid = tries(25);
const mutated = tries(40);

const text = await (await clientOf({}).app.request('/openapi.json')).text();
const { all, schemas } = describedIn(text);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map<object, ValidateFunction>();
const route = createRouter();

const routes = all.map(
  (described) => [`${described.method} ${described.path}`, described] as const,
);

describe.each(routes)('%s', (_, described) => {
  it('answers requests that are as described, as described', async () => {
    const seeded = await start();
    const drafts = validDrafts(described, seeded.pool);
    const statuses = new Set<number>();
    const takesAny = () => [...statuses].some((status) => status < 300);
    const property = fc.asyncProperty(drafts, async (draft) => {
      statuses.add(await expectSound(seeded, described, draft));
    });

    await fc.assert(property, valid);
    // Some routes take few of these, such as those about one member of one project.
    for (const draft of fc.sample(drafts, { ...valid, numRuns: 500 })) {
      if (takesAny()) break;
      statuses.add(await expectSound(seeded, described, draft));
    }

    expect(takesAny()).toBe(true);
    expect(seeded.failures).toEqual([]);
  });

  it('answers what is not as described, as described', async () => {
    const seeded = await start();
    const property = fc.asyncProperty(mutatedDrafts(described, seeded.pool), async (draft) => {
      await expectSound(seeded, described, draft);
    });

    await fc.assert(property, mutated);

    expect(seeded.failures).toEqual([]);
  });
});

async function start(): Promise<Seeded> {
  const seeded = await startSeeded();
  onTestFinished(() => seeded.engine.stop());
  return seeded;
}

/** Sends the draft, holds the answer to the document, and answers its status. */
async function expectSound(seeded: Seeded, described: Described, draft: Draft): Promise<number> {
  const body = textOf(draft);
  const url = urlOf(described, draft);
  const answer = await seeded.app.request(url, {
    method: draft.method,
    headers: {
      Authorization: `Token ${seeded.key}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...draft.headers,
    },
    ...(body !== undefined && draft.method !== 'GET' && { body }),
  });
  const said = await answer.text();
  const reached = reachedBy(draft.method, url);
  expect(faultOf(reached, answer, said)).toBeNull();
  return answer.status;
}

/** What a path leads to: with another word in it, that may be another route, or none. */
function reachedBy(method: string, url: string): Described | null {
  try {
    const match = route(method, new URL(url, 'http://localhost').pathname);
    if (match === null || 'allow' in match) return null;
    const { path } = match.endpoint.route;
    return all.find((one) => one.path === path && one.method === method) ?? null;
  } catch {
    return null;
  }
}

/** What is wrong with an answer; null when it is as the document says. */
function faultOf(reached: Described | null, answer: Response, said: string): string | null {
  const { status, headers } = answer;
  const about = `${status} ${said.slice(0, 500)}`;
  if (headers.get('X-Request-ID') === null) return `no X-Request-ID: ${about}`;
  if (status >= 500) return `failed: ${about}`;
  if (reached === null) return [400, 404, 405].includes(status) ? refusalFault(said) : about;
  const schema = reached.answers[status];
  if (schema === undefined) return `${reached.name} does not describe ${about}`;
  if (schema === null) return said === '' ? null : `a body where there is none: ${about}`;
  if (!/^application\/json\b/.test(headers.get('Content-Type') ?? '')) return `no JSON: ${about}`;
  if (status >= 400) return refusalFault(said);
  const problem = problemOf(schema, JSON.parse(said));
  return problem === null ? null : `${reached.name}: ${problem}: ${about}`;
}

/** Every client finds the text of a refusal under its own key. */
function refusalFault(said: string): string | null {
  const { message, error, detail } = JSON.parse(said);
  const isText = typeof message === 'string' && message !== '';
  return isText && error === message && detail === message ? null : `refused with ${said}`;
}

function problemOf(schema: object, value: unknown): string | null {
  const known = validators.get(schema);
  const validate = known ?? ajv.compile({ allOf: [schema], components: { schemas } });
  validators.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}
