import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AuditStore,
  readAuditLog,
  verifyAuditLog,
} from '../../src/app/store/verify-audit-log.ts';
import type { AuditEntry } from '../../src/contract/schemas/audit.ts';
import type { Caller, Invoke, OperationName } from '../../src/contract.ts';
import { createAuditLog } from '../../src/core/audit/audit-log.ts';
import { createChainCheck, hashEntry } from '../../src/core/audit/hash-chain.ts';
import { createInvoke } from '../../src/core/invoke.ts';
import { deletePastRetention } from '../../src/core/jobs/retention.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { findStoredText } from '../support/stored-text.ts';

let engine: Engine;
let invoke: Invoke;

beforeEach(async () => {
  engine = await startEngine();
  invoke = createInvoke({ ...engine.deps, audit: createAuditLog(engine.deps) });
});
afterEach(async () => {
  await engine.stop();
});

const caller: Caller = { ...owner, key_id: '0197a6b2-0000-7000-8000-00000000000a' };

function call<N extends OperationName>(name: N, input: object, by = caller) {
  const { org_id, project_id } = engine.projects.own;
  return invoke(name, { org_id, project_id, ...input }, { caller: by });
}

async function entries(): Promise<AuditEntry[]> {
  const log: AuditEntry[] = [];
  for await (const entry of readAuditLog(engine.store)) log.push(entry);
  return log;
}

function problemsOf(log: readonly AuditEntry[], key: string | null = null) {
  const check = createChainCheck(key);
  return log.map(check).filter((problem) => problem !== null);
}

const key = 'a-secret-of-an-operator-of-32-characters';

/** A store whose log holds only these entries, and whose chains end with them. */
function storeOf(log: readonly AuditEntry[]): AuditStore {
  const ends = new Map(log.map((entry) => [entry.chain, { ...entry, first_number: 1 }]));
  const listChains = async () => [...ends.values()];
  const listAfter = async () => log.map((entry, at) => ({ ...entry, position: at + 1 }));
  return { audit: { ...engine.store.audit, listChains, listAfter } };
}

describe('the audit log', () => {
  it('says who called what about which records, and with what outcome', async () => {
    const { results } = await call('add_memory', { text: 'Zanzibar', user_id: 'zoe' });
    const memory_id = results[0]?.id ?? '';
    await call('get_memory', { memory_id });
    await call('get_memory', { memory_id: caller.key_id }).catch(() => {});
    await call('search_memories', { query: '' }).catch(() => {});
    await call('delete_memory', { memory_id }, { ...caller, read_only: true }).catch(() => {});

    const log = await entries();

    const { key_id } = caller;
    const { project_id } = engine.projects.own;
    expect(log).toMatchObject([
      { number: 1, operation: 'add_memory', outcome: 'ok', key_id, project_id, previous: '' },
      { number: 2, operation: 'get_memory', outcome: 'ok', project_id },
      { number: 3, operation: 'get_memory', outcome: 'not_found', project_id },
      { number: 4, operation: 'search_memories', outcome: 'invalid', project_id: null },
      { number: 5, operation: 'delete_memory', outcome: 'forbidden', project_id: null },
    ]);
    expect(log.slice(0, 2).every(({ ids }) => ids.includes(memory_id))).toBe(true);
    expect(problemsOf(log)).toEqual([]);
  });

  it('leaves out polls of a stream that find nothing, and no other call', async () => {
    const stream = { caller, isPoll: true } as const;
    const { cursor } = await call('list_changes', { after: 'now' });
    await invoke('list_changes', { after: cursor }, stream);
    await call('add_memory', { text: 'Zanzibar', user_id: 'zoe' });
    await invoke('list_changes', { after: cursor }, stream);
    await invoke('list_changes', { after: 'wrong' }, stream).catch(() => {});

    const log = await entries();

    expect(log.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['list_changes', 'ok'],
      ['add_memory', 'ok'],
      ['list_changes', 'ok'],
      ['list_changes', 'invalid'],
    ]);
    expect(problemsOf(log)).toEqual([]);
  });

  it('holds no text, and no id of an entity', async () => {
    const metadata = { id: 'Zanzibar', zoe_ids: ['Zanzibar'] };
    await call('add_memory', { text: 'Zanzibar', user_id: 'zoe', metadata });
    await call('search_memories', { query: 'Zanzibar', filters: { user_id: 'zoe' } });
    await call('search_memories', { query: 'Zanzibar', id: 'Zanzibar' }).catch(() => {});

    const stored = await findStoredText(engine.data_dir, /zanzibar|zoe/i);

    expect(stored.filter((column) => column.startsWith('audit_log'))).toEqual([]);
  });

  it('tells calls about one entity until the entity is erased', async () => {
    const named: AuditEntry['entities'][] = [];
    for (const user_id of ['zoe', 'ann', 'zoe']) {
      await call('add_memory', { text: `A fact of ${user_id}`, user_id });
      named.push((await entries()).at(-1)?.entities ?? []);
    }
    await call('get_memories', { filters: { user_id: 'zoe' } });
    const byFilter = (await entries()).at(-1)?.entities;

    await call('delete_entity', { entity_type: 'user', entity_id: 'zoe' });
    await call('add_memory', { text: 'New', user_id: 'zoe' });
    const later = (await entries()).at(-1)?.entities;

    const [first, other, again] = named;
    expect(first).toEqual([expect.stringMatching(/^user:[0-9a-f]{64}$/)]);
    expect(again).toEqual(first);
    expect(byFilter).toEqual(first);
    expect(other).not.toEqual(first);
    expect(later).not.toEqual(first);
  });

  it('shows every changed, missing or moved entry', async () => {
    for (const text of ['One', 'Two', 'Three']) {
      await call('add_memory', { text, user_id: 'zoe' });
    }
    const log = await entries();
    const [first, second, third] = log as [AuditEntry, AuditEntry, AuditEntry];

    const fields = Object.keys(second) as (keyof AuditEntry)[];
    for (const field of fields) {
      const value = second[field];
      const changed = Array.isArray(value)
        ? [...value, 'x']
        : typeof value === 'number'
          ? value + 1
          : `${value ?? ''}x`;
      expect(problemsOf([first, { ...second, [field]: changed }, third]), field).not.toEqual([]);
    }
    expect(problemsOf([first, third])).toHaveLength(1);
    expect(problemsOf([second, first, third])).not.toEqual([]);
    expect(problemsOf([second, third])).toEqual([]); // the oldest go by retention
  });

  it('continues in each process what the one before wrote, so that no chain can be taken out', async () => {
    for (let process = 0; process < 3; process += 1) {
      const audit = createAuditLog(engine.deps);
      const one = createInvoke({ ...engine.deps, audit });
      await one('list_entities', {}, { caller });
      await one('list_entities', {}, { caller });
    }

    const log = await entries();

    const [first, second, third] = [log.slice(0, 2), log.slice(2, 4), log.slice(4)];
    expect(problemsOf(log)).toEqual([]);
    expect(problemsOf([...second, ...third])).toEqual([]); // the oldest go by retention
    expect(problemsOf([...first, ...third])).toMatchObject([
      { number: 1, problem: expect.stringContaining('another chain, is missing') },
    ]);
    expect(problemsOf([...first, ...log.slice(3)])).toMatchObject([
      { number: 2, problem: 'the entries before it are missing' },
    ]);
  });

  it('cannot be made anew by who can write the store and has no key', async () => {
    const audit = createAuditLog(engine.deps, key);
    const keyed = createInvoke({ ...engine.deps, audit });
    await call('list_entities', {});
    await keyed('list_entities', {}, { caller });
    await keyed('list_entities', {}, { caller });
    const log = await entries();
    const [old, first, second] = log as [AuditEntry, AuditEntry, AuditEntry];

    const forged = { ...first, outcome: 'forbidden' };
    const plain = { ...forged, hash: hashEntry(forged, null) };
    const other = { ...forged, hash: hashEntry(forged, `${key}!`) };
    const next = { ...second, previous: plain.hash };

    expect(problemsOf(log, key)).toEqual([]);
    expect(problemsOf([old, forged, second], key)).toMatchObject([
      { problem: 'the entry was changed' },
    ]);
    const remade = [old, plain, { ...next, hash: hashEntry(next, null) }];
    expect(problemsOf([first, ...remade.slice(1)], key)).not.toEqual([]);
    expect(problemsOf([old, other, second], key).length).toBeGreaterThan(0);
    // Downgraded as a whole, only what was kept elsewhere shows it.
    const report = await verifyAuditLog(storeOf(remade), { key, heads: [second.hash] });
    expect(report).toMatchObject({ keyed: 0, problems: [], missing: [second.hash] });
  });

  it('says which key it needs', async () => {
    const keyed = createInvoke({ ...engine.deps, audit: createAuditLog(engine.deps, key) });
    await keyed('list_entities', {}, { caller });
    await keyed('list_entities', {}, { caller });
    const log = await entries();

    const id = log[0]?.hash.split(':')[1];
    for (const wrong of [null, `${key}!`]) {
      expect(problemsOf(log, wrong)).toMatchObject([
        { number: 1, problem: `can't be checked without its audit_key, ${id}` },
      ]);
    }
    expect(JSON.stringify(log)).not.toContain(key);
  });

  it('shows that its end was cut off to who kept the last hashes', async () => {
    for (let count = 0; count < 3; count += 1) await call('list_entities', {});
    const log = await entries();

    const { head } = await verifyAuditLog(engine.store, { key: null, heads: [] });
    await call('list_entities', {});
    const grown = await verifyAuditLog(engine.store, { key: null, heads: head });
    const cut = await verifyAuditLog(storeOf(log.slice(0, 2)), { key: null, heads: head });

    expect(head).toEqual([log[2]?.hash]);
    expect(grown).toMatchObject({ entries: 4, missing: [], problems: [] });
    expect(cut).toMatchObject({ entries: 2, missing: head, problems: [] });
  });

  it('keeps one chain through calls at once, and another for each process', async () => {
    const second = createInvoke({ ...engine.deps, audit: createAuditLog(engine.deps) });
    const adds = Array.from({ length: 10 }, (_, number) =>
      (number % 2 === 0 ? invoke : second)('list_entities', {}, { caller }),
    );

    await Promise.all(adds);

    const log = await entries();
    expect(new Set(log.map(({ chain }) => chain)).size).toBe(2);
    expect(log).toHaveLength(10);
    expect(problemsOf(log)).toEqual([]);
  });

  it('is swept after its own retention', async () => {
    await call('list_entities', {});
    engine.clock.advance(10 * 24 * 60 * 60 * 1000);
    await call('list_entities', {});
    const kept = {
      retention_days: 1,
      export_retention_days: 1,
      expired_retention_days: 1,
      history_days: 0,
    };

    await deletePastRetention(engine.deps, { ...kept, audit_retention_days: 0 });
    const before = await entries();
    await deletePastRetention(engine.deps, { ...kept, audit_retention_days: 5 });
    const after = await entries();

    expect([before.length, after.length]).toEqual([2, 1]);
    expect(problemsOf(after)).toEqual([]);
  });
});

describe('list_audit', () => {
  it('lists the calls about a project, newest first, to its owners', async () => {
    await call('add_memory', { text: 'One', user_id: 'zoe' });
    await call('get_memories', {});
    const { org_id, project_id } = engine.projects.sibling;
    await call('get_memories', { org_id, project_id });

    const all = await call('list_audit', {});
    const adds = await call('list_audit', { operation: 'add_memory' });
    const refused = await call('list_audit', { outcome: 'invalid' });
    const elsewhere = await call('list_audit', { org_id, project_id });

    expect(all.results.map(({ operation }) => operation)).toEqual(['get_memories', 'add_memory']);
    expect([all.enabled, refused.total]).toEqual([true, 0]);
    expect(adds).toMatchObject({ total: 1, results: [{ operation: 'add_memory' }] });
    expect(elsewhere.results).toHaveLength(1);
  });

  it('is refused to readers, with wrong input, and for a project that is not there', async () => {
    const reader: Caller = { ...caller, role: 'READER' };

    await expect(call('list_audit', {}, reader)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(call('list_audit', { page: 0 })).rejects.toMatchObject({ code: 'invalid' });
    await expect(call('list_audit', { project_id: 'none' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
