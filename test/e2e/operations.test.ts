import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import { contract, type OperationName } from '../../src/contract.ts';
import { callOver, type Example, exampleOf, type Input, type World } from './operations.ts';
import { type Answer, createKey, listOf, ownerKey, spawnService } from './service.ts';

let world: World;
let stop: () => Promise<void>;

beforeAll(async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
  const service = await spawnService({
    data_dir,
    env: { MNEME_WEBHOOK_ALLOW_PRIVATE: 'true', MNEME_WEBHOOK_TIMEOUT_MS: '500' },
  });
  stop = async () => {
    service.kill('SIGKILL');
    await service.exited;
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  };
  const { body } = await service.send('GET', '/v1/ping/');
  const [org_id, project_id] = [String(body.org_id), String(body.project_id)];
  await service.send('POST', `/v1/orgs/${org_id}/members/`, {
    body: { email: 'reader@example.com', role: 'READER' },
  });
  const readOnly = await createKey(data_dir, ['--read-only']);
  const reader = await createKey(data_dir, ['--email', 'reader@example.com']);
  const foreign = await createKey(data_dir, ['--email', 'foreign@example.com']);
  await service.send('POST', '/v1/orgs/', { key: foreign, body: { name: 'Theirs' } });
  const organizations = await service.send('GET', '/v1/orgs/', { key: foreign });
  const [theirs] = listOf(organizations);
  const there = `/v1/orgs/${theirs?.org_id}/projects/`;
  await service.send('POST', there, { key: foreign, body: { name: 'Theirs' } });
  world = { service, org_id, project_id, keys: { owner: ownerKey, readOnly, reader, foreign } };
});
afterAll(() => stop());

const table = (Object.keys(contract) as OperationName[]).map(
  (name) => [name, exampleOf(name), contract[name]] as const,
) satisfies readonly (readonly [OperationName, Example, Operation])[];
const writing = table.filter(([, , { scope }]) => scope.endsWith(':write'));
/** Who did what, and the machine, are for owners only. */
const reading = table.filter(
  ([, , { scope }]) => scope.endsWith(':read') && !/^(audit|store):/.test(scope),
);
const ofStore = table.filter(([, , { subject }]) => subject === 'store');

describe.each(table)('%s', (name, example, record: Operation) => {
  it('succeeds', async () => {
    const { status } = await call(name, await example.input(world));

    // An export may be asked for before it is there.
    expect(name === 'get_export' ? [200, 202] : [example.status ?? 200]).toContain(status);
  });

  it.runIf(example.wrong !== null)(
    'returns 400 for a wrong input, and names what is wrong',
    async () => {
      const input = { ...(await example.input(world)), ...example.wrong };

      const { status, body } = await call(name, input);

      expect(status).toBe(400);
      expect(body).toMatchObject(refusal);
      expect(Object.keys(body.errors ?? {})).not.toEqual([]);
    },
  );

  it('returns 401 without a key or with a wrong one, and only then', async () => {
    const input = await example.input(world);

    const answers = await Promise.all([call(name, input, null), call(name, input, 'mk_wrong')]);

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    for (const { body } of answers) expect(body).toMatchObject(refusal);
  });

  it.runIf(isSomewhere(record))(
    'hides what another tenant has like something unknown',
    async () => {
      const { org_id, project_id } = world;
      const input = await example.input(world);
      const named = record.subject === undefined ? { org_id, project_id, ...input } : input;

      const theirs = await call(name, named, world.keys.foreign);
      const unknown = await call(name, unknownIn(named), world.keys.foreign);
      const ours = await call(name, unknownIn(named));

      expect(theirs.status).toBe(404);
      expect(shown(theirs)).toEqual(shown(unknown));
      expect(shown(theirs)).toEqual(shown(ours));
      expect(theirs.body).toMatchObject(refusal);
    },
  );

  it.runIf(isSomewhere(record))(
    'hides an id of another tenant in one’s own project',
    async ({ skip }) => {
      const input = await example.input(world);
      const namesAny = Object.keys(input).some((field) => ids.includes(field));
      skip(!namesAny, 'its input names no id');

      const theirs = await call(name, input, world.keys.foreign);
      const unknown = await call(name, unknownIn(input), world.keys.foreign);

      expect(shown(theirs)).toEqual(shown(unknown));
      expect(theirs.status).toBe(404);
    },
  );
});

describe.each(writing)('%s, which writes,', (name, example, record: Operation) => {
  it('returns 403 to a key that may only read', async () => {
    const input = await example.input(world);

    const { status, body } = await call(name, input, world.keys.readOnly);

    expect(status).toBe(403);
    expect(body).toMatchObject(refusal);
  });

  it.runIf(isSomewhere(record))('returns 403 to a member that may only read', async () => {
    const { org_id, project_id } = world;
    const input = await example.input(world);
    // Organizations and projects of the example are hidden from our reader.
    const here = {
      ...('org_id' in input && { org_id }),
      ...('project_id' in input && { project_id }),
    };

    const { status, body } = await call(name, { ...input, ...here }, world.keys.reader);

    expect(status).toBe(403);
    expect(body).toMatchObject(refusal);
  });
});

describe.each(reading)('%s, which reads,', (name, example) => {
  it('works for members and keys that may only read, too', async () => {
    const input = await example.input(world);

    const byKey = await call(name, input, world.keys.readOnly);
    const byRole = await call(name, input, world.keys.reader);

    expect([byKey.status, byRole.status].filter((status) => status >= 300)).toEqual([]);
  });
});

describe.each(ofStore)('%s, which concerns the whole store,', (name, example) => {
  it('returns 403 to all but its owner', async () => {
    const input = await example.input(world);
    const { project_id, keys } = world;
    const bound = await createKey(world.service.data_dir, ['--project-id', project_id]);

    const answers = [keys.foreign, keys.reader, bound].map((key) => call(name, input, key));

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

it('few operations take nothing that could be wrong', () => {
  const without = table.filter(([, { wrong }]) => wrong === null).map(([name]) => name);

  expect(without.toSorted()).toEqual([
    'create_backup',
    'get_configuration',
    'list_keys',
    'list_models',
    'list_organizations',
  ]);
});

/** False for what concerns nothing but the account that calls, or the whole store. */
function isSomewhere({ subject }: Operation): boolean {
  return subject !== 'account' && subject !== 'store';
}

const refusal = {
  message: expect.any(String),
  error: expect.any(String),
  detail: expect.any(String),
};

/** Fields that name something. */
const ids = [
  'memory_id',
  'memory_ids',
  'memories',
  'event_id',
  'memory_export_id',
  'webhook_id',
  'org_id',
  'project_id',
  'job_id',
];

function call(name: OperationName, input: Input, key: string | null = ownerKey): Promise<Answer> {
  return callOver(world.service, { name, input, key });
}

/** The same input, about things that do not exist. */
function unknownIn(input: Input): Input {
  const id = randomUUID();
  const entries = Object.entries(input).map(([field, value]) => {
    if (!ids.includes(field)) return [field, value];
    if (field === 'memory_ids') return [field, [id]];
    if (field === 'memories') return [field, [{ memory_id: id, text: 'In a batch' }]];
    return [field, id];
  });
  return Object.fromEntries(entries);
}

/** The parts by which a caller can compare responses: a batch names the id that it did not find. */
function shown({ status, headers, body }: Answer) {
  const told = [...headers.keys()].filter((name) => !/^(x-request-id|date)$/.test(name));
  return { status, told, body: JSON.stringify(body).replace(/[0-9a-f-]{36}/g, 'ID') };
}
