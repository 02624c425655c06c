import { statSync } from 'node:fs';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import type { ProjectRef, Store } from '../../src/core/ports/index.ts';
import { storePath } from '../../src/storage/store.ts';
import { added, type Work, worksOn } from './scale-operations.ts';
import { database, openBenchStore, type Sample } from './scale-store.ts';
import { openRival } from './sqlite-vec.ts';
import { percentile, type Took, timed } from './statistics.ts';
import { milliseconds, perSecond } from './table.ts';

/** Milliseconds: by the clock, and of the processor. */
type Times = { name: string; first: number; p50: number; p95: number; cpu: number };

export type Measured = {
  memories: number;
  versions: number;
  works: Times[];
  facts: { name: string; value: string }[];
};

type MeasureOptions = { calls: number; alone: boolean; only: string; versions: number };

export async function measureStore(
  folder: string,
  sample: Sample,
  { calls, alone, only, versions }: MeasureOptions,
): Promise<Measured> {
  const opened = await timed(() => openBenchStore(folder));
  const store = opened.value;
  const project = await store.projects.find({});
  if (project === null) throw new Error('an opened store has a project');
  const rss_opened = process.memoryUsage.rss();
  const works: Times[] = [];
  const asked = worksOn({ store, project, sample, versions });
  for (const work of asked.filter(({ name }) => name.includes(only))) {
    works.push(await measure(work, sample, calls));
  }
  const first = works.find(({ name }) => name === scanned)?.first ?? 0;
  const facts = [
    ['the first search of the project with vectors, ms', milliseconds(first)],
    ['opening, ms', milliseconds(opened.ms)],
    ['the file, MB', database === null ? megabytes(statSync(storePath(folder)).size) : '-'],
    ['resident after opening, MB', megabytes(rss_opened)],
    ['resident after all, MB', megabytes(process.memoryUsage.rss())],
    ['of it vectors, MB', megabytes(store.vectors.cachedBytes())],
    ['stored a second, in batches', perSecond(sample.memories, sample.filled_ms)],
    ['vectors stored a second, in batches', perSecond(sample.memories, sample.embedded_ms)],
  ].map(([name = '', value = '']) => ({ name, value }));
  await removeAdded(store, project);
  await store.close();
  if (!alone && database === null) works.push(...(await measureRival(folder, sample, calls)));
  return { memories: sample.memories, versions, works, facts };
}

const scanned = 'search of the project, with vectors';

async function measureRival(folder: string, sample: Sample, calls: number): Promise<Times[]> {
  const rival = openRival(folder, sample);
  const works: Work[] = [
    { name: 'sqlite-vec alone, 10 nearest of a user', run: rival.ofUser },
    { name: 'sqlite-vec alone, 10 nearest of all', run: rival.ofAll, calls: 20 },
  ];
  const times: Times[] = [];
  for (const work of works) times.push(await measure(work, sample, calls));
  rival.close();
  return times;
}

/** Not counted: Node has compiled the code of a server that runs. */
const warmUps = 10;

/** The first call is apart: it is the one that reads segments of vectors. */
async function measure(work: Work, { made }: Sample, calls: number): Promise<Times> {
  const took: Took[] = [];
  const count = Math.min(calls, work.calls ?? calls);
  const before = Math.min(warmUps, count);
  for (let call = 0; call <= before + count; call += 1) {
    const one = made[(call + offsetOf(work.name)) % made.length];
    if (one !== undefined) took.push(await work.run(one));
  }
  const [first] = took;
  const rest = took.slice(1 + before);
  const clock = rest.map(({ ms }) => ms);
  return {
    name: work.name,
    first: first?.ms ?? 0,
    p50: percentile(clock, 50),
    p95: percentile(clock, 95),
    cpu: percentile(
      rest.map(({ cpu_ms }) => cpu_ms),
      50,
    ),
  };
}

/** Another part of the sample for each work: what one has read helps no other. */
function offsetOf(name: string): number {
  return [...name].reduce((sum, letter) => sum + 31 * letter.charCodeAt(0), 0);
}

async function removeAdded(store: Store, project: ProjectRef): Promise<void> {
  const filter: Filter = { field: 'user_id', path: [], operator: 'eq', value: added };
  const selection = { filter, latest_only: false, not_expired_on: null, status: 'active' as const };
  for (;;) {
    const memories = await store.memories.listOldest(project, selection, 1000);
    if (memories.length === 0) return;
    const ids = memories.map(({ id }) => id);
    await store.transaction((tables) => tables.memories.delete(project, ids));
  }
}

function megabytes(bytes: number): string {
  return Math.round(bytes / 1024 / 1024).toLocaleString('en-US');
}
