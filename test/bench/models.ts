// Compares search by words, by the table and by real embedding models: `npm run bench:models`.
// Flags, weights and results: README.md.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { askParaphrases, hitRate, isEnglish } from '../search/paraphrase.ts';
import { withFolder } from './client.ts';
import { type Dataset, loadDataset, namedDataset } from './dataset.ts';
import { startDirect } from './engines.ts';
import { type BenchedModel, openBenchedModels } from './models/benched-models.ts';
import { measureCost } from './models/cost.ts';
import { askAll, storeAll } from './retrieval-run.ts';
import { scoresOf } from './retrieval-scores.ts';
import { percentile } from './statistics.ts';
import { fraction, milliseconds, percent, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    /** Only these, such as `words,table`. */
    only: { type: 'string' },
    /** Fetches every model of `mneme models` from the hub, instead of weights in packages. */
    hub: { type: 'boolean', default: false },
    /** The sets of conversations, without which only the paraphrases are asked. */
    sets: { type: 'string', default: 'locomo10,beam-100k' },
    /** The first so many conversations of each set. */
    limit: { type: 'string' },
    /** A file for the rows, as JSON. */
    out: { type: 'string' },
  },
});

type Row = { model: string; [column: string]: string };

const wanted = flags.only?.split(',');
const { models, problems } = await openBenchedModels({ hub: flags.hub });
const rows: Row[] = [];
for (const model of models) {
  if (wanted !== undefined && !wanted.includes(model.name)) continue;
  try {
    rows.push(await measure(model));
  } catch (error) {
    problems.push(`${model.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (flags.out) writeFileSync(flags.out, JSON.stringify(rows, null, 1));
}
for (const problem of problems) console.error(problem);
const head = Object.keys(rows[0] ?? {});
console.log(
  table(
    head,
    rows.map((row) => head.map((name) => row[name] ?? '-')),
  ),
);

async function measure(model: BenchedModel): Promise<Row> {
  const opened = await model.open();
  try {
    note(`${model.name}: cost`);
    const cost = await measureCost(opened);
    note(`${model.name}: paraphrases`);
    const paraphrases = await askParaphrase(opened.options);
    const found: Record<string, string> = {};
    for (const name of flags.sets.split(',').filter(Boolean)) {
      const { recall, mrr, ms } = await askDataset(name, model.name, opened.options);
      Object.assign(found, { [`${name} R@10`]: recall, [`${name} MRR`]: mrr, [`${name} ms`]: ms });
    }
    return { model: model.name, path: model.path, ...cost, ...paraphrases, ...found };
  } finally {
    await opened.close();
  }
}

type Options = Parameters<typeof startDirect>[1];

/** Percent within 5 results: in English with other and with the same words, and in other languages. */
async function askParaphrase(options: Options): Promise<Record<string, string>> {
  const outcomes = await withFolder(async (data_dir) => {
    const engine = await startDirect(data_dir, options);
    try {
      return await askParaphrases(
        {
          add: engine.add,
          search: async (input) => {
            await engine.embedAll();
            return engine.search(input);
          },
        },
        'development',
      );
    } finally {
      await engine.close();
    }
  });
  const english = outcomes.filter(isEnglish);
  const others = outcomes.filter((one) => !isEnglish(one));
  const rate = (some: typeof outcomes, kind: string, within: number) =>
    hitRate(some, { kind, within }).toFixed(0);
  return {
    'other words @1': rate(english, 'other-words', 1),
    'other words @5': rate(english, 'other-words', 5),
    'same words @5': rate(english, 'same-words', 5),
    'languages @5': rate(others, 'other-words', 5),
  };
}

async function askDataset(name: string, model: string, options: Options) {
  const dataset: Dataset = loadDataset(namedDataset(name));
  if (flags.limit) dataset.conversations.splice(Number(flags.limit));
  return withFolder(async (data_dir) => {
    const engine = await startDirect(data_dir, options);
    try {
      note(`${model}: storing ${name}`);
      const { holders } = await storeAll(engine, dataset, { infer: false });
      note(`${model}: embedding ${name}`);
      await engine.embedAll();
      note(`${model}: asking ${name}`);
      const asked = await askAll(engine, dataset, { holders });
      const headline = asked.filter(({ category }) => category !== 'adversarial');
      const { recall, mrr } = scoresOf(headline);
      const times = asked.map(({ ms }) => ms);
      return {
        recall: percent(recall[10]),
        mrr: fraction(mrr),
        ms: milliseconds(percentile(times, 50)),
      };
    } finally {
      await engine.close();
    }
  });
}

function note(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
