import { setImmediate } from 'node:timers/promises';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { verifyAuditLog } from '../../src/app/store/verify-audit-log.ts';
import { createAuditLog } from '../../src/core/audit/audit-log.ts';
import { createInvoke } from '../../src/core/invoke.ts';
import type { AuditTable } from '../../src/core/ports/index.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from '../support/database.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { makeFolder } from './support.ts';
import { move, openFile } from './transfer-support.ts';

const openSqlite = await loadSqlite();
const auditLog = isPostgres ? 'mneme.audit_log' : 'audit_log';
const auditChains = isPostgres ? 'mneme.audit_chains' : 'audit_chains';
const dayMs = 24 * 60 * 60 * 1000;

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
});
afterEach(async () => {
  await engine.stop();
});

/** A process with a chain of its own; returns how it makes audited calls. */
function startProcess() {
  const { deps, clock } = engine;
  const ids = { next: () => v7({ msecs: Date.parse(clock.now()) }) };
  const invoke = createInvoke({ ...deps, audit: createAuditLog({ ...deps, ids }) });
  return async (count: number) => {
    for (let made = 0; made < count; made += 1) {
      await invoke('list_entities', {}, { caller: owner });
    }
  };
}

/** As somebody does who can write the store. */
async function tamper(statement: string, folder = engine.data_dir): Promise<void> {
  if (isPostgres) {
    await inDatabase(folder, (client) => client.query(statement));
    return;
  }
  const sqlite = openSqlite(storePath(folder));
  sqlite.exec(statement);
  sqlite.close();
  await setImmediate(); // reads of one turn see the same state
}

async function problemsOf(store: { audit: AuditTable } = engine.store) {
  const { problems } = await verifyAuditLog(store, { key: null, heads: [] });
  return problems.map(({ number, problem }) => `${number}: ${problem}`);
}

describe('mneme audit verify', () => {
  const cuts = [
    ['the first entry', 'number = 1', '2: the entries before it, from 1, are missing'],
    ['the first ten', 'number <= 10', '11: the entries before it, from 1, are missing'],
    ['one in between', 'number = 7', '8: an entry after 6 is missing'],
    ['the last entry', 'number = 20', '20: the entry is missing, and all after 19'],
    ['the last five', 'number > 15', '20: the entry is missing, and all after 15'],
    ['all', 'true', '20: the entry is missing, and all of its chain'],
  ];
  it.each(cuts)('names %s, deleted from the log', async (_, which, problem) => {
    await startProcess()(20);
    expect(await problemsOf()).toEqual([]);

    await tamper(`delete from ${auditLog} where ${which}`);

    expect(await problemsOf()).toEqual([problem]);
  });

  it('names a chain of which it is not known where it begins and ends', async () => {
    await startProcess()(2);

    await tamper(`delete from ${auditChains}`);

    expect(await problemsOf()).toEqual(['1: where the chain begins and ends was deleted']);
  });

  it('names entries that were deleted before retention and before later entries', async () => {
    const call = startProcess();
    await call(3);
    engine.clock.advance(10 * dayMs);
    await call(3);
    await tamper(`delete from ${auditLog} where number in (4, 5)`);

    const before = new Date(Date.parse(engine.clock.now()) - dayMs).toISOString();
    await engine.store.transaction((tx) => tx.audit.deleteBefore(before));
    await call(1);

    expect(await problemsOf()).toEqual(['6: the entries before it, from 4, are missing']);
  });

  it('takes what retention deleted for no cut, be it a part of a chain or all of it', async () => {
    const [idle, busy] = [startProcess(), startProcess()];
    await idle(2);
    await busy(2);
    engine.clock.advance(10 * dayMs);
    await busy(2);

    const before = new Date(Date.parse(engine.clock.now()) - dayMs).toISOString();
    await engine.store.transaction((tx) => tx.audit.deleteBefore(before));

    expect(await problemsOf()).toEqual([]);
    expect(await engine.store.audit.listChains()).toMatchObject([{ first_number: 3, number: 4 }]);
    await idle(1);
    expect(await problemsOf()).toEqual([]);
  });

  it('takes what is written and swept while it reads for no cut', async () => {
    const [early, late] = [startProcess(), startProcess()];
    await early(3);
    const { audit } = engine.store;
    const meanwhile: AuditTable = {
      ...audit,
      listAfter: async (position, limit) => {
        if (position === 0) await Promise.all([early(2), late(2)]);
        const entries = await audit.listAfter(position, limit);
        await engine.store.transaction((tx) => tx.audit.deleteBefore('9999'));
        await late(1);
        return entries;
      },
    };

    expect(await problemsOf({ audit: meanwhile })).toEqual([]);
    expect(await problemsOf()).toEqual([]);
  });

  it('finds the chains of two processes that write at once whole', async () => {
    await Promise.all([startProcess()(10), startProcess()(10)]);

    expect(await problemsOf()).toEqual([]);
    expect(await engine.store.audit.listChains()).toMatchObject(
      Array(2).fill({ first_number: 1, number: 10 }),
    );
  });
});

describe('what is noted of chains', () => {
  it.skipIf(isPostgres)('goes with a backup and with a move', async () => {
    await startProcess()(3);
    const [copied, moved] = [await makeFolder(), await makeFolder()];
    await engine.store.backup(storePath(copied));
    await move({ path: storePath(copied) }, { path: storePath(moved) });

    for (const folder of [copied, moved]) {
      await tamper(`delete from ${auditLog} where number = 1`, folder);
      const store = await openFile(folder);
      onTestFinished(() => store.close());
      expect(await problemsOf(store)).toEqual(['2: the entries before it, from 1, are missing']);
    }
  });
});
