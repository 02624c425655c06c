import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabase } from '../../src/app/doctor/database-checks.ts';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import type { ProjectRef, Store } from '../../src/core/ports/index.ts';
import { appRole } from '../../src/storage/postgres/connection/row-security.ts';
import { createPostgresSession } from '../../src/storage/postgres/connection/session.ts';
import { maintainHnswIndexes } from '../../src/storage/postgres/search/hnsw-index.ts';
import {
  postgresPositionsTable,
  postgresRunPlacesTable,
} from '../../src/storage/postgres/search/text-index.ts';
import { makeMemory, now } from '../storage/memory.ts';
import { nearestMemories } from '../storage/nearest.ts';
import { everything, insert, makeFolder, ofUser, open, select } from '../storage/support.ts';
import { databaseOf, hasGraphs, inDatabase, isPostgres } from '../support/database.ts';
import { createDeferred } from '../support/deferred.ts';
import { eventually } from '../support/eventually.ts';
import type { Place } from '../support/place.ts';
import {
  isotropic as anywhere,
  clustered as nearTopics,
  type Random,
  randomOf,
  unit,
} from '../support/vectors.ts';

const dimension = 96;
const scale = { unrelated: 0, related: 0.5, trust: 1 };
const limit = 50;
/** So many memories that a search asks for a graph. */
const size = 1_000_000;

type FolderPlace = Place & { folder: string };
type Vectors = readonly Float32Array[];

/** A store with a complete embedding model, closed after the test. */
async function makePlace(): Promise<FolderPlace> {
  const folder = await makeFolder();
  const store = await open(folder);
  onTestFinished(() => store.close());
  const model = await store.vectors.openModel({ name: 'model-1', dimension, scale }, now);
  await store.vectors.markModelComplete(model);
  return { folder, store, model, project: await projectOf(store, 'first') };
}

function projectOf(store: Store, project_id: string): Promise<ProjectRef> {
  return store.ensureProject({ org_id: 'acme', project_id }, now);
}

/** Other projects whose vectors are in the same table as those of this one. */
async function neighboursOf(
  { folder, store, project }: FolderPlace,
  count: number,
): Promise<ProjectRef[]> {
  const made: ProjectRef[] = [];
  const remainderOf = (key: number) =>
    inDatabase(folder, async (client) => {
      const { rows } = await client.query<{ remainder: number }>(
        `select remainder from generate_series(0, 15) as remainder
          where satisfies_hash_partition('mneme.vectors'::regclass, 16, remainder, $1::integer)`,
        [key],
      );
      return rows[0]?.remainder;
    });
  const own = await remainderOf(project.key);
  for (let number = 0; made.length < count; number += 1) {
    const other = await projectOf(store, `other-${number}`);
    if ((await remainderOf(other.key)) === own) made.push(other);
  }
  return made;
}

/** Stores memories `m0`, `m1`, ... with these vectors; one in a hundred is Ann's. */
async function fill({ store, project, model }: FolderPlace, vectors: Vectors): Promise<void> {
  const memories = vectors.map((_, index) =>
    makeMemory({
      id: `m${index}`,
      memory: `Fact ${index}`,
      hash: `hash ${index}`,
      user_id: index % 100 === 0 ? 'ann' : 'bob',
    }),
  );
  for (let from = 0; from < memories.length; from += 500) {
    await insert(store, project, ...memories.slice(from, from + 500));
  }
  for (;;) {
    const wanted = (await store.vectors.listUnembedded(model, 1000)) ?? [];
    if (wanted.length === 0) return;
    const embedded = wanted.map(({ memory, ...rest }) => ({
      ...rest,
      vector: vectors[Number(/\d+/.exec(memory))] ?? new Float32Array(dimension),
    }));
    await store.vectors.put(model, embedded);
  }
}

function find({ store, project, model }: FolderPlace, vector: Float32Array, filter?: Filter) {
  const selection = select(filter ?? everything);
  return nearestMemories({ store, project }, selection, { model, vector, size, limit });
}

function exact(vectors: Vectors, asked: Float32Array): string[] {
  return vectors
    .map((vector, index) => ({
      id: `m${index}`,
      value: vector.reduce((sum, one, at) => sum + one * (asked[at] ?? 0), 0),
    }))
    .sort((one, other) => other.value - one.value)
    .map(({ id }) => id);
}

/** The share of the nearest 10 that is found, over questions from among other vectors. */
async function recall(place: FolderPlace, vectors: Vectors, asked: Vectors): Promise<number> {
  let found = 0;
  for (const vector of asked) {
    const ids = new Set((await find(place, vector)).slice(0, 10).map(({ id }) => id));
    found += exact(vectors, vector)
      .slice(0, 10)
      .filter((id) => ids.has(id)).length;
  }
  return found / (10 * asked.length);
}

function isotropic(count: number, random: Random): Float32Array[] {
  return anywhere(count, { dimension, random });
}

function clustered(count: number, random: Random): Float32Array[] {
  return nearTopics(count, { dimension, random, topics: 20, spread: 0.1 });
}

/** Each the sum of three of few parts: with one, it shares much, with many others, a little. */
function overlapping(count: number, random: Random): Float32Array[] {
  const parts = isotropic(200, random);
  const at = (index: number) => parts[index % parts.length] ?? new Float32Array(dimension);
  return Array.from({ length: count }, (_, index) => {
    const added = [at(index * 7), at(Math.floor(index / 200) * 13)];
    return unit(
      [...at(index)].map((value, place) => {
        return added.reduce((sum, part) => sum + (part[place] ?? 0), value);
      }),
    );
  });
}

/** The number of queries that measure a new index. */
const questionsOfMaking = 30;

function keep({ folder }: FolderPlace, min: number, least?: number) {
  const options = {
    log: () => {},
    minMemories: min,
    ...(least !== undefined && { minRecall: least }),
  };
  return inDatabase(folder, (client) => maintainHnswIndexes(client, options));
}

/** What is noted of the only graph. */
async function commentOf(place: FolderPlace) {
  const [{ name = '' } = {}] = await graphsOf(place);
  const { rows } = await inDatabase(place.folder, (client) =>
    client.query<{ comment: string | null }>(
      `select obj_description('mneme.${name}'::regclass, 'pg_class') as comment`,
    ),
  );
  return rows[0]?.comment;
}

async function noteOn(place: FolderPlace, comment: string | null) {
  const [{ name = '' } = {}] = await graphsOf(place);
  const value = comment === null ? 'null' : `'${comment}'`;
  await inDatabase(place.folder, (client) =>
    client.query(`comment on index mneme.${name} is ${value}`),
  );
}

function graphsOf({ folder }: FolderPlace) {
  return inDatabase(folder, async (client) => {
    const { rows } = await client.query<{ name: string; scans: number }>(
      `select indexrelname as name, idx_scan::integer as scans from pg_stat_user_indexes
        where indexrelname ~ '^vectors_(half|full)_\\d+_\\d+$' order by 1`,
    );
    return rows;
  });
}

const none = { made: 0, dropped: 0 };

/** A place whose pgvector lacks what a later version brought, as far as can be seen. */
async function makeOlder(statement: string): Promise<FolderPlace> {
  const place = await makePlace();
  await inDatabase(place.folder, (client) => client.query(statement));
  return place;
}

describe.skipIf(!hasGraphs)('the vector index of a project', () => {
  it.each([
    { name: 'clustered', make: clustered, isSearched: true },
    { name: 'overlapping', make: overlapping, isSearched: true },
    // With the index or, if its recall was too low, by comparing all vectors.
    { name: 'isotropic', make: isotropic, isSearched: false },
  ])(
    'finds 99 of 100 nearest of $name vectors, of projects of any size',
    async ({ make, isSearched }) => {
      const place = await makePlace();
      const random = randomOf(7);
      const [second, third] = (await neighboursOf(place, 2)) as [ProjectRef, ProjectRef];
      const projects = [place.project, second, third].map((project) => ({ ...place, project }));
      const sizes = [5000, 700, 60];
      const stored = sizes.map((count) => make(count + 20, random));
      for (const [index, one] of projects.entries()) {
        await fill(one, (stored[index] ?? []).slice(0, sizes[index]));
      }

      expect(await keep(place, 500)).toEqual({ made: 2, dropped: 0 });

      for (const [index, one] of projects.entries()) {
        const [vectors = [], count] = [stored[index], sizes[index]];
        const asked = vectors.slice(count);
        expect(await recall(one, vectors.slice(0, count), asked)).toBeGreaterThanOrEqual(0.99);
      }
      const used = async () => {
        const graphs = await graphsOf(place);
        const own = graphs.find(({ name }) =>
          name.startsWith(`vectors_half_${place.project.key}_`),
        );
        expect(own).toMatchObject({ scans: questionsOfMaking + 20 });
      };
      // A session counts what it scanned at once where it ends, and seconds later where it idles.
      await place.store.close();
      if (isSearched) await eventually(used);
    },
    120_000,
  );

  it('loses nothing under a filter that few memories pass', async () => {
    const place = await makePlace();
    const vectors = isotropic(2500, randomOf(9));
    await fill(place, vectors);
    await keep(place, 1000);
    const [asked = new Float32Array(dimension)] = isotropic(1, randomOf(11));

    const found = await find(place, asked, ofUser('ann'));

    const nearest = exact(vectors, asked).filter((id) => Number(id.slice(1)) % 100 === 0);
    expect(found.map(({ id }) => id)).toEqual(nearest.slice(0, limit));
  }, 60_000);

  it('is not used if it finds too few of the nearest', async () => {
    const place = await makePlace();
    const vectors = isotropic(620, randomOf(19));
    await fill(place, vectors.slice(0, 600));
    const more = 1.1; // than any graph can find

    expect(await keep(place, 500, more)).toEqual({ made: 1, dropped: 0 });
    const before = await graphsOf(place);

    expect(await recall(place, vectors.slice(0, 600), vectors.slice(600))).toBe(1);
    expect(await keep(place, 500, more)).toEqual({ made: 0, dropped: 0 });
    expect(await graphsOf(place)).toEqual(before);
  }, 60_000);

  it('is measured once, and again when the project has doubled', async () => {
    const place = await makePlace();
    await fill(place, isotropic(40, randomOf(3)));

    await keep(place, 20);
    expect(await commentOf(place)).toBe('searched: finds 1.000 of the nearest of 40 memories');
    await noteOn(place, null);
    await keep(place, 20, 1.1);
    expect(await commentOf(place)).toBe('not searched: finds 1.000 of the nearest of 40 memories');
    await noteOn(place, 'not searched: finds 0.500 of the nearest of 21 memories');
    await keep(place, 20);
    expect(await commentOf(place)).toMatch('not searched: finds 0.500');
    await noteOn(place, 'not searched: finds 0.500 of the nearest of 20 memories');
    await keep(place, 20);
    expect(await commentOf(place)).toMatch('searched: finds 1.000');
  });

  it('may return any of several equal vectors', async () => {
    const place = await makePlace();
    const [one = new Float32Array(dimension)] = isotropic(1, randomOf(3));
    await fill(
      place,
      Array.from({ length: 60 }, () => one),
    );

    await keep(place, 20);

    expect(await commentOf(place)).toMatch('searched: finds 1.000');
  });

  it('returns similarities in full precision, nearest first', async () => {
    const place = await makePlace();
    const vectors = clustered(1200, randomOf(13));
    await fill(place, vectors);
    await keep(place, 1000);
    const asked = vectors[17] ?? new Float32Array(dimension);

    const found = await find(place, asked);

    expect(found[0]?.id).toBe('m17');
    expect(found[0]?.similarity).toBeCloseTo(1, 6);
    const similarities = found.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((one, other) => other - one));
  }, 60_000);

  it('is built once the project is large enough, and dropped when it no longer is', async () => {
    const place = await makePlace();
    await fill(place, isotropic(40, randomOf(3)));

    expect(await keep(place, 41)).toEqual({ made: 0, dropped: 0 });
    expect(await keep(place, 40)).toEqual({ made: 1, dropped: 0 });
    expect(await keep(place, 40)).toEqual({ made: 0, dropped: 0 });
    expect(await keep(place, 80)).toEqual({ made: 0, dropped: 0 });
    expect(await keep(place, 81)).toEqual({ made: 0, dropped: 1 });
    expect(await graphsOf(place)).toEqual([]);
  });

  it('is built only after all memories are embedded', async () => {
    const place = await makePlace();
    const model = await place.store.vectors.openModel({ name: 'new', dimension, scale }, now);
    await fill({ ...place, model }, isotropic(40, randomOf(3)));

    expect(await keep(place, 20)).toEqual({ made: 0, dropped: 0 });
    await place.store.vectors.markModelComplete(model);
    expect(await keep(place, 20)).toEqual({ made: 1, dropped: 0 });
  });

  it('is built again after an interrupted build', async () => {
    const place = await makePlace();
    await fill(place, isotropic(40, randomOf(3)));
    await keep(place, 20);
    await inDatabase(place.folder, (client) =>
      client.query(
        `update pg_index set indisvalid = false
          where indexrelid = 'mneme.vectors_half_${place.project.key}_${place.model.key}'::regclass`,
      ),
    );

    expect(await find(place, isotropic(1, randomOf(5))[0] as Float32Array)).toHaveLength(40);
    expect(await keep(place, 20)).toEqual({ made: 1, dropped: 1 });
  });

  it('is built by one process at a time, and only by the owner of the tables', async () => {
    const place = await makePlace();
    await fill(place, isotropic(40, randomOf(3)));
    const name = `app_${place.folder.replace(/\W/g, '').slice(-8).toLowerCase()}`;
    await inDatabase(place.folder, (client) =>
      client.query(`create role ${name} login noinherit password 'x'; grant mneme_app to ${name}`),
    );
    const url = new URL((await databaseOf(place.folder)).database?.url ?? '');
    Object.assign(url, { username: name, password: 'x' });
    const stranger = new pg.Client(url.href);
    await stranger.connect();

    expect(await maintainHnswIndexes(stranger, { log: () => {}, minMemories: 20 })).toEqual(none);
    await stranger.end();
    const both = await Promise.all([keep(place, 20), keep(place, 20)]);
    expect(both.map(({ made }) => made).sort()).toEqual([0, 1]);
    await inDatabase(place.folder, (client) => client.query(`drop role ${name}`));
  });
});

describe.skipIf(!hasGraphs)('an older pgvector', () => {
  const withoutHalves = 'alter type mneme.halfvec rename to halfvec_of_later';
  const withoutGraphs = `update pg_am set amname = 'of_later' where amname = 'hnsw'`;

  it('without half precision has indexes in full precision', async () => {
    const place = await makeOlder(withoutHalves);
    const vectors = clustered(1200, randomOf(13));
    await fill(place, vectors);

    expect(await keep(place, 1000)).toEqual({ made: 1, dropped: 0 });

    const names = (await graphsOf(place)).map(({ name }) => name);
    expect(names).toEqual([`vectors_full_${place.project.key}_${place.model.key}`]);
    expect(await recall(place, vectors, vectors.slice(0, 20))).toBeGreaterThanOrEqual(0.99);
    const scans = questionsOfMaking + 20;
    await eventually(async () => expect((await graphsOf(place))[0]).toMatchObject({ scans }));
  }, 60_000);

  it('without HNSW compares all vectors, and builds no index', async () => {
    const place = await makeOlder(withoutGraphs);
    const vectors = clustered(300, randomOf(13));
    await fill(place, vectors);

    expect(await keep(place, 100)).toEqual(none);
    expect(await recall(place, vectors, vectors.slice(0, 20))).toBe(1);
    const { database } = await databaseOf(place.folder);
    const checks = await checkDatabase(database?.url ?? '');
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'pgvector',
        status: 'warning',
        found: expect.stringContaining('too old for vector indexes'),
      }),
    );
  });
});

describe.skipIf(!isPostgres)('under row policies', () => {
  it('memories are found through an index, not by a full scan', async () => {
    const { folder, store, project } = await makePlace();
    const memories = Array.from({ length: 500 }, (_, index) =>
      makeMemory({ id: `m${index}`, run_id: `run ${index}` }),
    );
    await insert(store, project, ...memories);
    await inDatabase(folder, (client) => client.query('analyze mneme.memories'));
    const plan = (
      from: (db: ReturnType<typeof createPostgresSession>['db']) => ReturnType<typeof sql>,
    ) =>
      inDatabase(folder, async (client) => {
        await client.query(`set search_path = mneme, public; set enable_hashjoin = off; set enable_mergejoin = off;
          set role ${appRole}; set mneme.project = '${project.key}'`);
        const { db } = createPostgresSession(client);
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${from(db)}`.execute(db);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });

    const byPosition = await plan(
      () => sql`select id from ${postgresPositionsTable('[1,2]')} as wanted
      cross join memories where memories.position = wanted.position and project_key = ${project.key}`,
    );
    const byPlace = await plan(
      () => sql`select id from
      ${postgresRunPlacesTable('[{"run_id":"r","run_position":1}]')} as wanted cross join memories
      where memories.run_id = wanted.run_id and memories.run_position = wanted.run_position and project_key = ${project.key}`,
    );

    expect(byPosition).toMatch(/Index Cond: .*"position" = /);
    expect(byPlace).toMatch(/Index Cond: .*run_id = .*run_position = /);
  });
});

describe.skipIf(!hasGraphs)('the list of memories without a vector', () => {
  it('is unknown while others write, and is not reported as empty', async () => {
    const { store, project, model } = await makePlace();
    const written = createDeferred();
    const ended = createDeferred();
    const writing = store.transaction(async (tx) => {
      await tx.memories.insert(project, [makeMemory()]);
      written.resolve();
      await ended.promise;
    });
    await written.promise;

    const meanwhile = await store.vectors.listUnembedded(model, 10);
    ended.resolve();
    await writing;

    expect(meanwhile).toBeNull();
    expect(await store.vectors.listUnembedded(model, 10)).toHaveLength(1);
  });
});
