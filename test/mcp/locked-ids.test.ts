// Every operation that is a tool is tried with the ids of things that another user owns, in every
// field that takes ids, under every kind of lock. Fields are found in the contract, so that a new
// operation or field is tried as soon as it exists.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepRemoteWithinLock } from '../../src/app/remote/locked-invoke.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { entityIdFields } from '../../src/contract/schemas/entity.ts';
import { mapRecordIds, type RecordKind } from '../../src/contract/schemas/record-id.ts';
import { shortIdOf } from '../../src/contract/short-id.ts';
import { contract, type Invoke, type OperationName } from '../../src/contract.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { pickFields, requiredFields } from '../support/example-input.ts';
import { connectHttp, httpOn } from './http-support.ts';
import { callOn, optionsFor } from './support.ts';

type Fields = Record<string, unknown>;
type Call = (name: string, args: Fields) => Promise<Fields>;

const secret = /wombat|burrow/;
const missing = '0197a6b2-0000-7000-8000-00000000abcd';
const ada = { user_id: 'ada', agent_id: 'cook' };
const bob = { user_id: 'bob', agent_id: 'digger' };

let engine: Engine;
let own: string;
/** What Bob has, by what it is. */
let ofBob: Record<string, string>;

beforeAll(async () => {
  engine = await startEngine();
  own = idOf(await as('add_memory', { text: 'Ada likes tea', ...ada }));
  ofBob = await storeOfBob();
});
afterAll(() => engine.stop());

type Lock = [kind: string, open: () => Promise<Call>];

const locks: Lock[] = [
  ['the options', async () => locked({ user_id: 'ada' })],
  ['the options in front of a remote', async () => locked({ user_id: 'ada' }, remote())],
  ['options that name an agent', async () => locked({ agent_id: 'cook' })],
  ['the address', () => overHttp({ query: '?user_id=ada&lock_scope=true' })],
  [
    'headers',
    () => overHttp({ headers: { 'X-Mneme-User-Id': 'ada', 'X-Mneme-Lock-Scope': 'true' } }),
  ],
  ['a token with a user', () => overHttp({ user_id: 'ada' })],
];

describe.each(locks)('a scope that is locked by %s', (_, open) => {
  it('still shows what is its own', async () => {
    const call = await open();

    const answer = await call('get_memory', { memory_id: own });

    expect(JSON.stringify(answer)).toContain('Ada likes tea');
  });

  it.each(toolsWithIds())(
    'answers %s with ids of others like missing ones',
    async (name, operation) => {
      const call = await open();
      const before = await everythingOfBob();

      for (const { hidden, absent } of attempts(operation)) {
        const [found, unknown] = [
          await tryOut(call, name, hidden),
          await tryOut(call, name, absent),
        ];

        expect(found, JSON.stringify(hidden)).not.toMatch(secret);
        expect(found, JSON.stringify(hidden)).toBe(unknown);
      }
      expect(await everythingOfBob()).toEqual(before);
    },
  );
});

it('finds the fields that hold ids', () => {
  const fields = tools().flatMap(([name, operation]) =>
    idFields(operation).map(({ field }) => `${name}.${field}`),
  );

  expect(fields).toEqual(
    expect.arrayContaining([
      'batch_delete_memories.memory_ids',
      'batch_update_memories.memories',
      'erase_memories.memory_ids',
      'get_event.event_id',
      'get_export.memory_export_id',
      'get_memories.filters',
      'search_memories.explain_id',
    ]),
  );
});

function tools(): [OperationName, Operation][] {
  const all = Object.entries(contract) as [OperationName, Operation][];
  return all.filter(([, { tool }]) => tool !== null);
}

function toolsWithIds(): [OperationName, Operation][] {
  return tools().filter(([, operation]) => idFields(operation).length > 0);
}

/** An instance that does not know the lock of its caller. */
function remote(): Invoke {
  return keepRemoteWithinLock((name, input, options) =>
    engine.invoke(name, input, { ...options, caller: owner }),
  );
}

function locked(scope: Fields, invoke: Invoke = engine.invoke): Call {
  return callOn(optionsFor(invoke, { scope, lock_scope: true, admin_approval: 'off' }));
}

async function overHttp(choices: Parameters<typeof connectHttp>[1]): Promise<Call> {
  const http = httpOn(engine.invoke, { admin_approval: 'off' });
  const client = await connectHttp(http, { caller: owner, ...choices });
  return async (name, args) => ({ ...(await client.callTool({ name, arguments: args })) });
}

/** The answers to a dry run, the call itself, and the call with the token that it answered. */
async function tryOut(call: Call, name: OperationName, { args, id }: Attempt): Promise<string> {
  const { tool }: Operation = contract[name];
  const group = tool?.group;
  const tried = { ...args, ...(group && { action: group.action }) };
  const answers: Fields[] = [];
  const runs = tool?.confirm ? [{ dry_run: true }, {}] : [{}];
  for (const more of runs) answers.push(await call(group?.name ?? name, { ...tried, ...more }));
  const { confirm } = (answers.at(-1)?.structuredContent ?? {}) as Fields;
  if (confirm !== undefined) answers.push(await call(name, { ...tried, confirm }));
  const told = JSON.stringify(answers).replaceAll(String(confirm), 'TOKEN');
  const named = [id, shortIdOf(id)].reduce((text, part) => text.replaceAll(part, 'ID'), told);
  return named.replace(anyId, (one) => (isKnown(one) ? one : 'NEW'));
}

/** What a call makes has another id each time. */
const anyId = /\b[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/g;

function isKnown(id: string): boolean {
  return [own, ...Object.values(ofBob)].some((known) => shortIdOf(known) === shortIdOf(id));
}

type Attempt = { args: Fields; id: string };

/** Each call with an id of Bob's, and the same with one that nothing has. */
function attempts(operation: Operation): { hidden: Attempt; absent: Attempt }[] {
  const asked = pickFields(requiredFields(operation), fieldValues);
  return idFields(operation).flatMap(({ field, ids, hold }) =>
    ids.map(([hiddenId, absentId]) => {
      const attempt = (id: string) => ({ id, args: { ...asked, [field]: hold(id) } });
      return { hidden: attempt(hiddenId), absent: attempt(absentId) };
    }),
  );
}

type IdField = { field: string; ids: [hidden: string, absent: string][]; hold: Hold };
type Hold = (id: string) => unknown;

/** The ways in which a field can hold an id. */
const holds: Hold[] = [
  (id) => id,
  (id) => [id],
  (id) => [own, id],
  (id) => [{ memory_id: id, text: 'changed' }],
  (id) => [own, id].map((memory_id) => ({ memory_id, text: 'changed' })),
  (id) => ({ id }),
  (id) => ({ OR: [{ id: { in: [id] } }, { AND: [{ id }] }] }),
];

function idFields({ input }: Operation): IdField[] {
  return Object.entries(input.shape).flatMap(([field, schema]) => {
    const isEntity = field === 'entity_id' || entityIdFields.some((name) => name === field);
    if (isEntity) {
      const hidden = field === 'agent_id' ? bob.agent_id : bob.user_id;
      return { field, ids: [[hidden, 'nobody']], hold: (id: string) => id };
    }
    return holds.flatMap((hold): IdField[] => {
      const kinds = new Set<RecordKind>();
      mapRecordIds(schema, hold(missing), (kind, id) => {
        if (id === missing) kinds.add(kind);
        return id;
      });
      if (kinds.size === 0) return [];
      const things = Object.values(ofBob ?? {});
      const short = Array.isArray(hold(missing)) ? [] : things.map(shortIdOf);
      const ids = [...things, ...short].map(pair);
      return [{ field, ids, hold }];
    });
  });
}

/** What the required fields of tools hold, apart from the one that is tried. */
const fieldValues: Fields = {
  text: 'changed',
  query: 'PIN hint',
  memory_id: missing,
  memory_ids: [missing],
  memories: [{ memory_id: missing, text: 'changed' }],
  event_id: missing,
  webhook_id: missing,
  delivery_id: missing,
  recall_id: missing,
  entity_type: 'user',
  entity_id: 'nobody',
  schema: { type: 'object', properties: { pin: { type: 'string' } } },
  decision: 'decline',
  feedback: 'POSITIVE',
  from: '2020-01-01',
  name: 'a name',
  org_id: 'none',
  project_id: 'none',
  email: 'nobody@example.com',
  role: 'READER',
  url: 'https://example.com/hook',
};

function pair(id: string): [string, string] {
  return [id, id.length === missing.length ? missing : shortIdOf(missing)];
}

async function storeOfBob(): Promise<Record<string, string>> {
  const { org_id, project_id } = engine.projects.own;
  const settings = { trust_min: 'user', keep_recalls: 'text' };
  await as('update_project', { org_id, project_id, ...settings });
  const metadata = { place: 'burrow' };
  const add = async (fields: Fields) => as('add_memory', { metadata, ...bob, ...fields });
  const active = await add({ text: 'My PIN hint is wombat' });
  const waiting = await add({ text: 'Owns a wombat', source_class: 'tool' });
  const deleted = await add({ text: 'Had a wombat', expiration_date: '2999-01-01' });
  await as('delete_memory', { memory_id: idOf(deleted) });
  const expired = await add({ text: 'Sold a wombat', expiration_date: '2020-01-01' });
  const messages = [{ role: 'user', content: 'I moved my wombat to Bern.' }];
  const queued = await add({ messages, async_mode: false });
  const schema = { type: 'object', properties: { pet: { type: 'string' } } };
  const made = await as('create_export', { schema, ...bob });
  await as('search_memories', { query: 'wombat', ...bob });
  const { results } = await as('list_recalls', { user_id: 'bob' });
  const [recall] = results as { id: string }[];
  return {
    active: idOf(active),
    waiting: idOf(waiting),
    deleted: idOf(deleted),
    expired: idOf(expired),
    event: String(queued.event_id),
    export: String(made.id),
    recall: String(recall?.id),
  };
}

/** Once nothing is in progress, because that too would make answers differ. */
async function everythingOfBob(): Promise<unknown> {
  await expect
    .poll(async () => {
      const { results } = await as('list_events', { page_size: 100 });
      return (results as { status: string }[]).filter(({ status }) => status.endsWith('ING'));
    })
    .toEqual([]);
  const everything = { show_expired: true, show_waiting: true, latest_only: false };
  const { results } = await as('get_memories', { user_id: 'bob', ...everything });
  const { results: changes } = await as('list_history', { user_id: 'bob' });
  return [results, changes];
}

async function as(name: OperationName, input: Fields): Promise<Fields> {
  return { ...(await engine.invoke(name, input, { caller: owner })) };
}

function idOf({ results }: Fields): string {
  const [first] = results as { id: string }[];
  return String(first?.id);
}
