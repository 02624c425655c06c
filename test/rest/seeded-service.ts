import type { Hono } from 'hono';
import type { Invoke, OperationName, Output } from '../../src/contract.ts';
import { createCheckAccess } from '../../src/core/invoke.ts';
import type { Installation } from '../../src/core/ports/index.ts';
import { findOrInviteAccount } from '../../src/core/tenants/accounts.ts';
import { authenticate, createKey } from '../../src/core/tenants/keys.ts';
import { createRestApp } from '../../src/rest/app.ts';
import type { RestEnv } from '../../src/rest/http/hono-env.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import type { Pool } from './random-requests.ts';
import { optionsFor } from './support.ts';

/** The face on the real engine, in a store that holds something of everything. */
export type Seeded = {
  app: Hono<RestEnv>;
  engine: Engine;
  key: string;
  pool: Pool;
  /** What the program logged as failures. */
  failures: unknown[];
};

export async function startSeeded(): Promise<Seeded> {
  const engine = await startEngine();
  const { deps } = engine;
  deps.installation = installation;
  const failures: unknown[] = [];
  const unbound = { email: null, org_id: null, project_id: null };
  const { key } = await createKey(deps, {
    ...unbound,
    name: 'seeded',
    read_only: false,
    expires_at: null,
  });
  const options = optionsFor(engine.invoke, {
    checkAccess: createCheckAccess(deps),
    authenticate: async (token) => {
      const found = await authenticate(deps, token);
      return found === null ? null : { ...found, rate_key: found.key_id };
    },
    answers: { ...engine.store.idempotencyKeys, runIdempotent: engine.store.runIdempotent },
    log: (level, message, fields) => {
      if (level === 'error') failures.push({ message, ...fields });
    },
  });
  return { app: createRestApp(options), engine, key, pool: await seed(engine), failures };
}

async function seed(engine: Engine): Promise<Pool> {
  const { invoke, projects } = engine;
  const { own, sibling, foreign } = projects;
  const call = callOn(invoke);
  const memories = await Promise.all(
    texts.map((text) => call('add_memory', { ...scope, text, metadata: { a: 1 } })),
  );
  const { results: rigid } = await call('add_memory', { ...scope, text: 'Rigid', immutable: true });
  const { event_id } = await call('add_memory', { ...scope, messages: 'I moved to Bern.' });
  const { results: far } = await call('add_memory', {
    ...scope,
    text: 'Far',
    org_id: foreign.org_id,
    project_id: foreign.project_id,
  });
  const waiting = await seedWaiting(engine);
  const url = 'https://example.com/hook';
  const { webhook_id } = await call('create_webhook', { ...placeOf(own), url });
  await call('add_memory', { ...scope, text: 'Told to the webhook' });
  const { results: deliveries } = await call('list_webhook_deliveries', {
    ...placeOf(own),
    webhook_id,
  });
  const { id: memory_export_id } = await call('create_export', { schema, user_id: 'alex' });
  const { job_id } = await call('create_profile_job', { entity_id: 'alex' });
  const email = 'ada@example.com';
  await call('add_organization_member', { org_id: own.org_id, email, role: 'READER' });
  await call('add_project_member', { ...placeOf(own), email, role: 'READER' });
  await call('create_snapshot', { name: 'start' });
  const memory_ids = [...memories.flatMap(({ results }) => results), ...rigid, ...far].map(
    ({ id }) => id,
  );
  memory_ids.push(...waiting);
  return {
    memory_id: memory_ids,
    memory_ids: [memory_ids.slice(0, 1), memory_ids.slice(0, 3), memory_ids],
    event_id: [event_id, ...memories.map((added) => added.event_id)],
    webhook_id: [webhook_id],
    delivery_id: deliveries.map(({ id }) => id),
    key_id: [(await call('create_key', { name: 'spare' })).key_id],
    memory_export_id: [memory_export_id],
    job_id: [job_id],
    recall_id: [await seedRecall(engine)],
    org_id: [own.org_id, own.org_id, foreign.org_id, await seedInvitation(engine)],
    project_id: [own.project_id, own.project_id, sibling.project_id, foreign.project_id],
    email: [email, 'new@example.com'],
    user_id: ['alex'],
    agent_id: ['guide'],
    entity_id: ['alex', 'guide'],
    schema: [schema],
    filters: [{ user_id: 'alex' }, { AND: [{ user_id: 'alex' }, { agent_id: '*' }] }],
    query: ['tea', 'Where does Alex live?'],
    fields: [['id', 'memory'], ['name']],
    page: [1, 2],
    page_size: [1, 2, 100],
    threshold: [0, 0.1],
    ...times,
  };
}

/** Where the engine runs, which the program tells. */
const installation: Installation = {
  models: async () => ({
    in_use: 'static',
    runtime: { installed: false, folder: '/models' },
    models: [],
    words: { english: 0, other_languages: 0, locomo: null },
    embedding: null,
    language_model: null,
  }),
  configuration: { version: '1.2.3', values: {}, sources: {} },
  backUp: async () => ({ file: '/backups/one.db', bytes: 1 }),
};

/** Times in the past, as fields for them say it. */
const moments = ['2026-01-31', '2026-03-14T08:00:00Z', 'start'];
const times = { as_of: moments, since: moments, from: moments, name: ['start', 'Home'] };

/** An organization of somebody else, which invites the owner of the key. */
async function seedInvitation({ invoke, store, deps }: Engine): Promise<string> {
  const { account_id } = await store.transaction((tables) =>
    findOrInviteAccount(deps, 'host@example.com', tables),
  );
  const caller = { ...owner, account_id };
  const { org_id } = await invoke('create_organization', { name: 'Host' }, { caller });
  const invited = { org_id, email: 'owner@localhost', role: 'READER' };
  await invoke('add_organization_member', invited, { caller });
  return org_id;
}

/** A search that was kept. */
async function seedRecall({ invoke, projects }: Engine): Promise<string | undefined> {
  const call = callOn(invoke);
  await call('update_project', { ...placeOf(projects.own), keep_recalls: 'text' });
  await call('search_memories', { ...scope, query: 'Who likes tea?' });
  const { results } = await call('list_recalls', {});
  return results[0]?.id;
}

/** Memories that wait for a review. */
async function seedWaiting({ invoke, projects }: Engine): Promise<(string | null)[]> {
  const call = callOn(invoke);
  await call('update_project', { ...placeOf(projects.own), trust_min: 'user' });
  const texts = ['Owns a boat', 'Owns a car', 'Owns a bike'];
  const held = await Promise.all(
    texts.map((text) => call('add_memory', { ...scope, text, source_class: 'tool' })),
  );
  await call('update_project', { ...placeOf(projects.own), trust_min: 'unknown' });
  return held.flatMap(({ results }) => results.map(({ id }) => id));
}

const scope = { user_id: 'alex', agent_id: 'guide' };
const texts = ['Likes tea with milk', 'Lives in Bern', 'Has a dog called Pixel', 'Plays chess'];
const schema = {
  type: 'object',
  properties: { facts: { type: 'array', items: { type: 'object', properties: {} } } },
};

function placeOf({ org_id, project_id }: Engine['projects']['own']) {
  return { org_id, project_id };
}

function callOn(invoke: Invoke) {
  return <N extends OperationName>(name: N, input: object): Promise<Output<N>> =>
    invoke(name, input, { caller: owner });
}
