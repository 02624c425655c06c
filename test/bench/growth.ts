// Many projects in one PostgreSQL database: `npm run bench:growth`. What is measured, flags and
// results: README.md.
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type { Logger, ProjectRef } from '../../src/core/ports/index.ts';
import { hnswIndexLock } from '../../src/storage/postgres/connection/row-security.ts';
import { maintainHnswIndexes } from '../../src/storage/postgres/search/hnsw-index.ts';
import { withFolder } from './client.ts';
import { fillProject, type Loaded, type Originals, prepareOriginals } from './growth-fill.ts';
import { measureSearches } from './growth-search.ts';
import { rewriteSome, writeSome } from './growth-write.ts';
import { database, openBenchStore } from './scale-store.ts';
import { makeSentences } from './sentences.ts';
import { timed } from './statistics.ts';
import { perSecond, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    /** Of the one large project. */
    largest: { type: 'string', default: '100000' },
    /** Other projects, and how many memories each of them has. */
    projects: { type: 'string', default: '10' },
    each: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '40' },
    dimension: { type: 'string', default: '384' },
    /** For making graphs: what does not fit is made much more slowly. */
    memory: { type: 'string', default: '1500MB' },
    /** Vectors of the large project that are near no other. */
    isotropic: { type: 'boolean', default: false },
  },
});
const [largest, projects, each, calls, dimension] = [
  ...[flags.largest, flags.projects, flags.each, flags.calls, flags.dimension].map(Number),
] as [number, number, number, number, number];

if (database === null) throw new Error('BENCH_DATABASE_URL names the database to fill');
const { url } = database;

await withFolder(async (folder) => {
  const store = await openBenchStore(folder);
  const client = new Client(url);
  await client.connect();
  // Until it is told to, the store makes no graph in the background.
  await client.query(`select pg_advisory_lock(${hnswIndexLock})`);
  const texts = makeSentences(5_000, 1).map(({ text }) => text);
  const originals = await prepareOriginals({ store, client, dimension, texts });
  const { model } = originals;
  const made = await Promise.all(
    ['large', ...Array.from({ length: projects }, (_, number) => `small-${number}`)].map((id) =>
      store.ensureProject({ org_id: 'growth', project_id: id }, new Date().toISOString()),
    ),
  );
  const loads = await fillAll(client, made, originals);
  const [large, small] = made as [ProjectRef, ProjectRef];
  report('filled on the server, memories a second', [ratesOf(loads)]);
  report('bytes of a memory', await sizesOf(client, loads));
  report('vacuum and analyze', [['after loading, s', seconds(await vacuum(client))]]);
  const search = { store, client, calls, dimension };
  const name = (project: string) => `${project} project`;
  await searches(name('a small'), small);
  await searches(`${name('the large')}, without a graph`, large);
  report('graph of the large project', await makeGraph());
  await searches(`${name('the large')}, with its graph`, large);
  report('writing by mneme, a second', await writeSome({ store, client, model, small, large }));
  report('changes', await rewriteSome(client, { large, model }));
  await client.end();
  await store.close();

  async function searches(title: string, project: ProjectRef): Promise<void> {
    report(title, await measureSearches(project, search));
  }

  async function makeGraph(): Promise<string[][]> {
    await client.query(`set maintenance_work_mem = '${flags.memory}'`);
    const log: Logger = (_level, text, facts) => console.log(text, facts);
    const { ms } = await timed(() => maintainHnswIndexes(client, { log, minMemories: largest }));
    const { rows } = await client.query<{ bytes: string }>(
      `select sum(pg_relation_size(oid)) as bytes from pg_class
        where relname like 'vectors_half_%' or relname like 'vectors_full_%'`,
    );
    const bytes = Math.round(Number(rows[0]?.bytes) / largest);
    return [
      ['made in, s', seconds(ms)],
      ['bytes of a memory', `${bytes}`],
    ];
  }
});

async function fillAll(
  client: Client,
  made: readonly ProjectRef[],
  originals: Originals,
): Promise<Loaded[]> {
  const loads: Loaded[] = [];
  for (const [index, project] of made.entries()) {
    const count = index === 0 ? largest : each;
    const isotropic = flags.isotropic && index === 0;
    loads.push(await fillProject(client, { project, originals, count, isotropic }));
  }
  return loads;
}

function ratesOf(loads: readonly Loaded[]): string[] {
  const sum = (of: (load: Loaded) => number) => loads.reduce((total, load) => total + of(load), 0);
  const count = sum((load) => load.count);
  const rate = (of: (load: Loaded) => number) => perSecond(count, sum(of));
  return [
    `${count.toLocaleString('en-US')} in ${loads.length} projects`,
    `${rate(({ memories }) => memories)} rows, ${rate(({ words }) => words)} of words, ${rate(
      ({ vectors }) => vectors,
    )} vectors, ${rate((load) => load.memories + load.words + load.vectors)} together`,
  ];
}

async function sizesOf(client: Client, loads: readonly Loaded[]): Promise<string[][]> {
  const count = loads.reduce((total, load) => total + load.count, 0);
  const { rows } = await client.query<{ name: string; heap: number; indexes: number }>(
    `select parent.relname as name, sum(pg_table_size(part.oid))::float as heap,
        sum(pg_indexes_size(part.oid))::float as indexes
      from pg_class as parent join pg_inherits on inhparent = parent.oid
        join pg_class as part on part.oid = inhrelid
      where parent.relnamespace = 'mneme'::regnamespace and parent.relkind = 'p'
      group by 1 order by 1`,
  );
  return rows.map(({ name, heap, indexes }) => [
    name,
    `${Math.round(heap / count)} and indexes of ${Math.round(indexes / count)}`,
  ]);
}

async function vacuum(client: Client): Promise<number> {
  const { ms } = await timed(() =>
    client.query('vacuum (analyze, parallel 0) memories, memory_fts, vectors, entities'),
  );
  return ms;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

/** At once: a large run takes long, and may be cut. */
function report(title: string, rows: readonly (readonly string[])[]): void {
  console.log(`\n${table([title, ''], rows)}`);
}
