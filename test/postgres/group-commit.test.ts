import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApiError } from '../../src/contract/errors.ts';
import type { Store } from '../../src/core/ports/index.ts';
import { makeEvent, makeMemory, now } from '../storage/memory.ts';
import { makeAnswer } from '../storage/records.ts';
import { insert, makeFolder, open } from '../storage/support.ts';
import { inDatabase, isPostgres } from '../support/database.ts';
import { openThroughProxy } from './proxy.ts';

const placeholder = { status: 409, output: '' };

async function openOn(folder: string, options: Parameters<typeof open>[1] = {}): Promise<Store> {
  const store = await open(folder, options);
  onTestFinished(() => store.close());
  return store;
}

function outcomesOf(works: readonly Promise<unknown>[]): Promise<string[]> {
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'stored',
      ({ code, message }) => `${code ?? message}`,
    );
  return Promise.all(works.map(outcome));
}

describe.skipIf(!isPostgres)('concurrent writes to a project', () => {
  it('share commits', async () => {
    const { store, project, commits } = await openThroughProxy();
    const before = commits();

    await Promise.all(Array.from({ length: 20 }, () => insert(store, project, makeMemory())));

    expect(commits() - before).toBeLessThan(20);
    expect(await store.memories.size(project, {})).toBe(20);
  });

  it('fail together if their commit does not reach the database', async () => {
    const { store, project, breakNext } = await openThroughProxy();
    breakNext('before');

    const works = ['m1', 'm2', 'm3'].map((id) => insert(store, project, makeMemory({ id })));

    expect(await outcomesOf(works)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    expect(await store.memories.size(project, {})).toBe(0);
    await insert(store, project, makeMemory({ id: 'm1' }));
    expect(await store.memories.size(project, {})).toBe(1);
  });

  it('are known to have succeeded if each reserved its response', async () => {
    const { store, project, breakNext } = await openThroughProxy();
    const answers = ['m1', 'm2', 'm3'].map((id) => makeAnswer({ id }));
    for (const answer of answers) await store.idempotencyKeys.reserve(answer);
    breakNext('after');

    const works = answers.map((reserved) =>
      store.runIdempotent({ reserved, placeholder }, () =>
        insert(store, project, makeMemory({ id: reserved.id })),
      ),
    );

    expect(await outcomesOf(works)).toEqual(['stored', 'stored', 'stored']);
    expect(await store.memories.size(project, {})).toBe(3);
  });

  it('roll back only what failed, even if nobody awaited the result', async () => {
    const { store, project } = await openThroughProxy();
    const twice = store.transaction(async (tx) => {
      await tx.memories.insert(project, [makeMemory({ id: 'bad' })]);
      await tx.events.insert(project, makeEvent({ id: 'e1' }));
      await tx.events.insert(project, makeEvent({ id: 'e1' }));
    });
    const good = ['m1', 'm2'].map((id) => insert(store, project, makeMemory({ id })));

    const [failed, ...others] = await outcomesOf([twice, ...good]);

    expect(failed).toBe('23505');
    expect(others).toEqual(['stored', 'stored']);
    expect(await store.memories.find(project, 'bad')).toBeNull();
    expect(await store.memories.size(project, {})).toBe(2);
  });

  it('fail alone if one ignores a failed statement', async () => {
    const { store, project } = await openThroughProxy();
    const first = insert(store, project, makeMemory({ id: 'm1' }));
    const careless = store.transaction(async (tx) => {
      await tx.memories.insert(project, [makeMemory({ id: 'bad' })]);
      await tx.memories.insert(project, [makeMemory({ id: 'bad' })]).catch(() => {});
    });
    const last = insert(store, project, makeMemory({ id: 'm2' }));

    expect(await outcomesOf([first, careless, last])).toEqual(['stored', '23505', 'stored']);
    expect(await store.memories.size(project, {})).toBe(2);
  });

  it('are not affected by one that gives up while its statement fails', async () => {
    const { store, project } = await openThroughProxy();
    const insertOf = (id: string) => insert(store, project, makeMemory({ id }));
    await store.transaction((tx) => tx.events.insert(project, makeEvent({ id: 'e1' })));
    const first = insertOf('m1');
    const giving = store.transaction(async (tx) => {
      await tx.events.insert(project, makeEvent({ id: 'e1' }));
      throw new Error('given up');
    });
    const last = insertOf('m2');

    expect(await outcomesOf([first, giving, last])).toEqual(['stored', 'given up', 'stored']);
    expect(await store.memories.size(project, {})).toBe(2);
  });

  it('continue after a connection ends right after a commit', async () => {
    const { store, project, breakNext } = await openThroughProxy();
    breakNext('last');

    await insert(store, project, makeMemory({ id: 'm1' }));
    await insert(store, project, makeMemory({ id: 'm2' })).catch(() => {});
    await insert(store, project, makeMemory({ id: 'm3' }));

    expect(await store.memories.find(project, 'm1')).not.toBeNull();
    expect(await store.memories.find(project, 'm3')).not.toBeNull();
  });

  it('continue after a connection goes silent', { timeout: 60_000 }, async () => {
    const { store, project, freeze } = await openThroughProxy({ statement_timeout_ms: 500 });
    await insert(store, project, makeMemory({ id: 'm1' }));
    freeze();

    const add = () => insert(store, project, makeMemory()).catch(({ code }: ApiError) => code);
    let outcome = await add();
    while (outcome === 'unavailable') outcome = await add();

    expect(await store.memories.size(project, {})).toBe(2);
  });
});

describe.skipIf(!isPostgres)('a write that gets no turn', () => {
  it('is refused as if another process had the lock, and others continue', async () => {
    const store = await openOn(await makeFolder(), { busy_timeout_ms: 100 });
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    const other = await store.ensureProject({ org_id: 'acme', project_id: 'other' }, now);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = store.transaction(async (tx) => {
      await tx.memories.insert(project, [makeMemory({ id: 'm1' })]);
      await held;
    });

    const late = insert(store, project, makeMemory({ id: 'm2' }));

    await expect(late).rejects.toThrow(/is busy/);
    await insert(store, other, makeMemory({ id: 'm3' }));
    release();
    await holding;
    expect(await store.memories.find(project, 'm1')).not.toBeNull();
    expect(await store.memories.find(project, 'm2')).toBeNull();
  });
});

describe.skipIf(!isPostgres)('two servers that add to one project at once', () => {
  it('make memories visible in the order of their positions', async () => {
    const folder = await makeFolder();
    const [one, two] = [await openOn(folder), await openOn(folder)];
    const project = await one.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    let isOver = false;
    const seen: number[][] = [];
    const looking = inDatabase(folder, async (client) => {
      while (!isOver) {
        const { rows } = await client.query<{ position: string }>(
          'select position from mneme.memories order by position',
        );
        seen.push(rows.map(({ position }) => Number(position)));
      }
    });

    const add = async (store: Store, name: string) => {
      for (let round = 0; round < 5; round += 1) {
        const ids = Array.from({ length: 8 }, (_, at) => `${name}-${round}-${at}`);
        await Promise.all(ids.map((id) => insert(store, project, makeMemory({ id, hash: id }))));
      }
    };
    await Promise.all([add(one, 'one'), add(two, 'two')]);
    isOver = true;
    await looking;

    const last = seen.at(-1) ?? [];
    expect(seen.filter((some) => some.some((position, at) => position !== last[at]))).toEqual([]);
    expect(await two.memories.size(project, {})).toBe(80);
    expect(await one.memories.size(project, { user_id: 'ann' })).toBe(80);
  });
});
