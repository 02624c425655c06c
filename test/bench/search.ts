// Searches and single adds in a large store, without a face: `npm run bench:search`. What is
// measured, flags and results: README.md.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withFolder } from './client.ts';
import { type Engine, engines } from './engines.ts';
import { fillStore, type Owned } from './large-store.ts';
import { makeSentences, type Sentence } from './sentences.ts';
import { mean, percentile, timed } from './statistics.ts';
import { milliseconds, percent, perSecond, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    memories: { type: 'string', default: '100000' },
    /** Memories of one user. */
    each: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '300' },
    /** A folder to keep the store in, and to find it in the next time. */
    folder: { type: 'string' },
  },
});
const memories = Number(flags.memories);
const each = Number(flags.each);
const calls = Number(flags.calls);

/** Memories of a run: about a long conversation. */
const runLength = 50;
/** A prime: steps of it reach every place of a store of another size. */
const stride = 7919;

type Made = Sentence & Owned;
type Work = { name: string; of: 'new' | 'old'; run: (owned: Made) => Promise<boolean> };

await (flags.folder === undefined ? withFolder(measureIn) : measureIn(flags.folder));

async function measureIn(folder: string): Promise<void> {
  const all = makeSentences(memories + calls, 1).map(toOwned);
  const isNew = !existsSync(join(folder, 'mneme.db'));
  if (isNew) await fillStore(folder, all.slice(0, memories));
  const engine = await engines.direct(folder);
  const rows: string[][] = [];
  for (const work of works(engine)) rows.push(await measure(work, all));
  await engine.close();

  console.log(`\n${memories} memories, ${each} of each user, Node ${process.version}`);
  console.log(table(['one call after the other', 'right %', 'p50 ms', 'p95 ms', 'a second'], rows));
}

function toOwned(sentence: Sentence, index: number): Made {
  const user_id = `user-${Math.floor(index / each)}`;
  return { ...sentence, user_id, run_id: `run-${Math.floor(index / runLength)}` };
}

function works(engine: Engine): Work[] {
  const found = async (input: Record<string, unknown>, { text }: Sentence) => {
    const { hits } = await engine.search(input);
    return hits.some(({ memory }) => memory === text);
  };
  const everyone = { filters: { user_id: '*' } };
  return [
    {
      name: 'search of a user, question',
      of: 'old',
      run: (one) => found({ query: one.question, user_id: one.user_id }, one),
    },
    {
      name: 'search of a user, two words',
      of: 'old',
      run: (one) => found({ query: one.phrase, user_id: one.user_id }, one),
    },
    {
      name: 'search of a user, with a date',
      of: 'old',
      run: (one) => found({ query: `${one.question} this week`, user_id: one.user_id }, one),
    },
    {
      name: 'search of the project, question',
      of: 'old',
      run: (one) => found({ query: one.question, ...everyone }, one),
    },
    {
      name: 'search of the project, common words',
      of: 'old',
      run: async () => {
        const query = 'what was bought, kept and shared at the house';
        return (await engine.search({ query, ...everyone })).hits.length > 0;
      },
    },
    {
      name: 'search of the project, in May',
      of: 'old',
      run: (one) => found({ query: `${one.question} in May`, ...everyone }, one),
    },
    {
      name: 'add with a run',
      of: 'new',
      run: async ({ text, user_id, run_id }) =>
        (await engine.add({ text, infer: false, user_id, run_id })).length === 1,
    },
  ];
}

async function measure({ name, of, run }: Work, all: readonly Made[]): Promise<string[]> {
  const times: number[] = [];
  let right = 0;
  for (let index = 0; index < calls; index += 1) {
    const place = of === 'new' ? memories + index : (index * stride) % memories;
    const { value, ms } = await timed(() => run(all[place] as Made));
    times.push(ms);
    if (value) right += 1;
  }
  const [p50, p95] = [percentile(times, 50), percentile(times, 95)].map(milliseconds);
  return [name, percent(right / calls), p50 ?? '', p95 ?? '', perSecond(1, mean(times))];
}
