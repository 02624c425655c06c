// How much of the evidence of real conversations a context holds, by budget and cut:
// `npm run bench:context -- locomo10`. Protocol and results: README.md.
import { parseArgs } from 'node:util';
import type { Cut } from '../../src/contract/schemas/search.ts';
import { withFolder } from './client.ts';
import { loadDataset, namedDataset } from './dataset.ts';
import { type ContextEngine, startDirect } from './engines.ts';
import { storeAll } from './retrieval-run.ts';
import { countTokens, type Holders } from './retrieval-scores.ts';
import { mean, percentile, timed } from './statistics.ts';
import { milliseconds, percent, table } from './table.ts';

const settings: readonly { cut: Cut; max_tokens: number }[] = [
  { cut: 'relaxed', max_tokens: 500 },
  { cut: 'relaxed', max_tokens: 1000 },
  { cut: 'relaxed', max_tokens: 1300 },
  { cut: 'relaxed', max_tokens: 2500 },
  { cut: 'strict', max_tokens: 1300 },
  { cut: 'off', max_tokens: 1300 },
  { cut: 'off', max_tokens: 2500 },
  { cut: 'off', max_tokens: 5760 },
];

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string' } },
});
const dataset = loadDataset(namedDataset(positionals[0] ?? 'locomo10'));
if (flags.limit) dataset.conversations.splice(Number(flags.limit));

/** Questions about what was never said have no evidence to find. */
const questions = dataset.conversations.flatMap(({ id, questions: all }) =>
  all
    .filter(({ category, evidence }) => category !== 'adversarial' && evidence.length > 0)
    .map(({ question, evidence }) => ({
      user_id: id,
      query: question,
      evidence: evidence.map((turn) => `${id} ${turn}`),
    })),
);

await withFolder(async (folder) => {
  const engine = await startDirect(folder);
  try {
    const { holders } = await storeAll(engine, dataset, { infer: false });
    const rows: string[][] = [];
    for (const setting of settings) rows.push(await measure(engine, holders, setting));
    const head = ['cut', 'max_tokens', 'evidence', 'tokens', 'as o200k', 'memories', 'p50', 'p95'];
    console.log(`\n${dataset.name}, ${questions.length} questions with evidence\n`);
    console.log(table(head, rows));
  } finally {
    await engine.close();
  }
});

async function measure(
  engine: ContextEngine,
  holders: Holders,
  { cut, max_tokens }: (typeof settings)[number],
): Promise<string[]> {
  const asked: { held: number; used: number; counted: number; memories: number; ms: number }[] = [];
  for (const { evidence, ...input } of questions) {
    const { value, ms } = await timed(() => engine.context({ ...input, cut, max_tokens }));
    const ids = value.blocks.flatMap(({ memory_ids }) => memory_ids);
    const turns = new Set(ids.flatMap((id) => [...(holders.get(id) ?? [])]));
    const held = evidence.filter((turn) => turns.has(turn)).length / evidence.length;
    const counted = countTokens(value.text);
    asked.push({ held, used: value.used, counted, memories: ids.length, ms });
  }
  const times = asked.map(({ ms }) => ms);
  const average = (name: 'used' | 'counted' | 'memories') =>
    mean(asked.map((one) => one[name])).toFixed(0);
  return [
    cut,
    String(max_tokens),
    percent(mean(asked.map(({ held }) => held))),
    average('used'),
    average('counted'),
    average('memories'),
    milliseconds(percentile(times, 50)),
    milliseconds(percentile(times, 95)),
  ];
}
