// Searches and adds on PostgreSQL, beside SQL that is written by hand and beside a file:
// `npm run bench:postgres`. What is measured, flags and results: README.md.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type { Store } from '../../src/core/ports/index.ts';
import { hnswIndexLock } from '../../src/storage/postgres/connection/row-security.ts';
import { openStore } from '../../src/storage/store.ts';
import { withFolder } from './client.ts';
import { measureAdds } from './compare-adds.ts';
import { measureBeside } from './compare-search.ts';
import { fillDatabase, fillFile, type Material, makeGraphs } from './compare-stores.ts';
import { type Originals, partsOf, prepareOriginals } from './growth-fill.ts';
import { database, openBenchStore } from './scale-store.ts';
import { makeSentences } from './sentences.ts';
import { table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    /** Of one project each. */
    memories: { type: 'string', default: '100000,1000000' },
    calls: { type: 'string', default: '40' },
    dimension: { type: 'string', default: '384' },
    /** For making graphs: what does not fit is made much more slowly. */
    memory: { type: 'string', default: '2GB' },
    /** Requests under way when adds are measured, and for how long. */
    connections: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '10' },
    /** A folder to keep the files in; a database of TEST_POSTGRES_URL is kept, too. */
    folder: { type: 'string' },
    /** Leaves out the file. */
    alone: { type: 'boolean', default: false },
    /** Leaves out the adds. */
    searches: { type: 'boolean', default: false },
  },
});
const [calls, dimension, connections, seconds] = [
  ...[flags.calls, flags.dimension, flags.connections, flags.seconds].map(Number),
] as [number, number, number, number];
const sizes = flags.memories.split(',').map(Number);

/** A prime: users get other texts with each round of copies. */
const originalsMax = 99_991;

if (database === null) throw new Error('BENCH_DATABASE_URL names the database to fill');
const { url } = database;

await (flags.folder === undefined ? withFolder(measureAll) : measureAll(flags.folder));

async function measureAll(folder: string): Promise<void> {
  const rows = flags.searches ? [] : await measureAdds({ url, folder, connections, seconds });
  const sentences = makeSentences(Math.min(originalsMax, Math.max(...sizes)), 1);
  const material = { sentences, parts: partsOf(dimension) };
  const store = await openBenchStore(folder);
  const client = new Client(url);
  await client.connect();
  // Until it is told to, the store makes no graph in the background.
  await client.query(`select pg_advisory_lock(${hnswIndexLock})`);
  const texts = sentences.map(({ text }) => text);
  const originals = await prepareOriginals({ store, client, dimension, texts });
  // As many candidates as mneme takes, and no plan that has to be compiled.
  await client.query('set hnsw.ef_search = 1000; set jit = off');
  for (const count of sizes) {
    const found = await measureSize({ folder, client, store, originals }, { material, count });
    rows.push(...found);
    report(found);
  }
  await client.end();
  await store.close();
  console.log('\nall together');
  report(rows);
}

type Server = {
  folder: string;
  client: Client;
  store: Store;
  originals: Originals;
};

async function measureSize(
  { folder, client, store, originals }: Server,
  { material, count }: { material: Material; count: number },
): Promise<string[][]> {
  const server = await fillDatabase({ store, client, originals }, count);
  const fileStore = flags.alone ? null : await openFile(join(folder, `${count}`));
  // The file is this process's work, the graph that of the server.
  const [graph_ms, file] = await Promise.all([
    makeGraphs(client, { count, memory: flags.memory }),
    fileStore && fillFile(fileStore, material, count),
  ]);
  const places = { client, server: server.place, file: file?.place ?? null };
  const measured = await measureBeside(places, { ...material, count, calls });
  await fileStore?.close();
  const size = count.toLocaleString('en-US');
  const inSeconds = (ms: number) => (ms / 1000).toFixed(0);
  const made = ['graph made in, s', '', inSeconds(graph_ms), '', ''];
  const filled = ['filled in, s', '', inSeconds(server.ms), '', file ? inSeconds(file.ms) : ''];
  return [...measured, made, filled].map(([name, ...values]) => [`${size}: ${name}`, ...values]);
}

function openFile(data_dir: string): Promise<Store> {
  mkdirSync(data_dir, { recursive: true });
  const settings = { synchronous: 'normal', busy_timeout_ms: 10_000, log: () => {} } as const;
  return openStore({ ...settings, database: null, data_dir });
}

/** At once: a large run takes long, and may be cut. */
function report(rows: readonly (readonly string[])[]): void {
  const head = ['ms p50 / p95', 'SQL by hand', 'PostgreSQL', 'times SQL', 'SQLite'];
  console.log(`\n${table(head, rows)}`);
}
