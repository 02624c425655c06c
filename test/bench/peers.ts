// The same adds and questions for mneme and for others that run here from npm, in one run:
// `npm run bench:peers`. Who they are, flags and results: README.md.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages } from '../support/packages.ts';
import { withFolder } from './client.ts';
import { type Dataset, loadDataset, namedDataset } from './dataset.ts';
import { startEmbeddings } from './peers/embeddings.ts';
import { openLibraries } from './peers/libraries.ts';
import { openMem0 } from './peers/mem0.ts';
import { openMneme } from './peers/mneme.ts';
import type { Peer } from './peers/peer.ts';
import { openPostgres } from './peers/postgres.ts';
import { openServerMemory } from './peers/server-memory.ts';
import { type Outcome, ranksOf, scoresOf } from './retrieval-scores.ts';
import { database } from './scale-store.ts';
import { percentile, timed } from './statistics.ts';
import { fraction, milliseconds, percent, table } from './table.ts';

const topK = 20;
const packages = resolve('.build/peers');

const { values: flags } = parseArgs({
  options: {
    /** A file of conversations in place of LoCoMo. */
    data: { type: 'string' },
    /** Only the first so many conversations: some of the others read all there is each time. */
    limit: { type: 'string', default: '3' },
  },
});
const dataset = loadDataset(flags.data ?? namedDataset('locomo10'));
dataset.conversations.splice(Number(flags.limit));

await installPackages({ source: 'test/bench/peers/packages', target: packages });
await withFolder(async (folder) => {
  const embeddings = await startEmbeddings();
  const rows: string[][] = [];
  try {
    for (const open of openers(folder, embeddings.url)) {
      for (const peer of await open()) rows.push(await measure(peer, dataset));
    }
  } finally {
    await embeddings.close();
  }
  print(rows);
});

/** One after the other: nobody works while another is measured. */
function openers(folder: string, embedder_url: string): (() => Promise<Peer[]>)[] {
  const inside = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  return [
    async () => [await openMneme(inside('mneme'), null)],
    async () => [await openMneme(inside('vectors'), embedder_url)],
    async () => [await openMem0(packages, { folder: inside('mem0'), embedder_url })],
    async () => [await openServerMemory(inside('server-memory'))],
    () => openLibraries(packages),
    async () => (database === null ? [] : [await openPostgres(database.url)]),
  ];
}

async function measure(peer: Peer, { conversations }: Dataset): Promise<string[]> {
  process.stderr.write(`${peer.name}\n`);
  const holders = new Map<string, Set<string>>();
  const adds: number[] = [];
  for (const { id: user_id, turns } of conversations) {
    for (const turn of turns) {
      const id = `${user_id} ${turn.id}`;
      const caption = turn.image_caption ? ` [image: ${turn.image_caption}]` : '';
      const said = { text: turn.text + caption, name: turn.speaker };
      const run_id = `${user_id}:${turn.session}`;
      const { value, ms } = await timed(() => peer.add({ id, user_id, run_id, ...said }));
      for (const one of value) holders.set(one, (holders.get(one) ?? new Set()).add(id));
      adds.push(ms);
    }
  }
  await peer.ready?.();
  const outcomes: Outcome[] = [];
  for (const { id: user_id, questions } of conversations) {
    for (const { question, category, evidence } of questions) {
      if (evidence.length === 0 || category === 'adversarial') continue;
      const { value, ms } = await timed(() => peer.search(question, user_id, topK));
      const hits = value.map((id) => ({ id, memory: '', score: 0 }));
      const turns = evidence.map((turn) => `${user_id} ${turn}`);
      const ranks = ranksOf(hits, { evidence: turns, holders });
      outcomes.push({ category, ranks, within: 0, ms });
    }
  }
  await peer.close();
  return rowOf(peer, adds, outcomes);
}

function rowOf(peer: Peer, adds: readonly number[], outcomes: readonly Outcome[]): string[] {
  const { recall, mrr } = scoresOf(outcomes);
  const searches = outcomes.map(({ ms }) => ms);
  return [
    peer.name,
    percent(recall[5]),
    percent(recall[10]),
    fraction(mrr),
    milliseconds(percentile(adds, 50)),
    milliseconds(percentile(searches, 50)),
    milliseconds(percentile(searches, 95)),
  ];
}

function print(rows: readonly string[][]): void {
  const { conversations } = dataset;
  const turns = conversations.reduce((sum, { turns }) => sum + turns.length, 0);
  console.log(`\n${conversations.length} conversations, ${turns} turns, Node ${process.version}\n`);
  const head = ['', 'R@5', 'R@10', 'MRR', 'add p50 ms', 'search p50 ms', 'p95 ms'];
  console.log(table(head, rows));
}
