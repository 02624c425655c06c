// Stores every turn of real conversations and asks their questions: `npm run bench:locomo` and
// `npm run bench:beam`. Protocol, flags and results: README.md.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withFolder } from './client.ts';
import {
  addsOf,
  type Conversation,
  type Dataset,
  loadDataset,
  namedDataset,
  type Question,
} from './dataset.ts';
import { type Engine, engines, isEngineName } from './engines.ts';
import { type Asked, printReport, type Stored } from './retrieval-report.ts';
import { countTokens, type Holders, ranksOf, readable } from './retrieval-scores.ts';
import { mean, timed } from './statistics.ts';

const topK = 20;
/** Enough results to fill `readTokens`, asked for apart from the search that is timed. */
const readTopK = 200;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A file of conversations in place of the named ones. */
    data: { type: 'string' },
    engine: { type: 'string', default: 'mcp' },
    /** Turns are understood, by rules, in place of being stored word for word. */
    infer: { type: 'boolean', default: false },
    /** Only the first so many conversations, for a quick look. */
    limit: { type: 'string' },
    /** A file for the outcome of each question, to compare two versions. */
    out: { type: 'string' },
  },
});
const file = flags.data ?? (positionals[0] && namedDataset(positionals[0]));
if (!file) throw new Error('say which conversations: --data FILE.json.gz');
if (!isEngineName(flags.engine)) throw new Error(`--engine is one of ${Object.keys(engines)}`);

const start = engines[flags.engine];
const dataset = loadDataset(file);
if (flags.limit) dataset.conversations.splice(Number(flags.limit));

await withFolder(async (folder) => {
  const engine = await start(folder);
  try {
    const stored = await storeAll(engine, dataset);
    const asked = await askAll(engine, dataset, stored.holders);
    printReport({ dataset, engine: flags.engine, stored, asked });
    if (flags.out) writeFileSync(flags.out, JSON.stringify(asked, null, 1));
  } finally {
    await engine.close();
  }
});

/** One add after the other, as an agent makes them. */
async function storeAll(engine: Engine, { conversations }: Dataset): Promise<Stored> {
  const holders = new Map<string, Set<string>>();
  const stored = { holders, turns: 0, adds: 0, memories: 0, lost: 0, ms: 0 };
  for (const conversation of conversations) {
    progress(`storing ${conversation.id}`);
    for (const turn of conversation.turns) {
      const ids: string[] = [];
      for (const input of addsOf(conversation, turn)) {
        const { value, ms } = await timed(() => engine.add({ ...input, infer: flags.infer }));
        ids.push(...value);
        stored.adds += 1;
        stored.ms += ms;
      }
      for (const id of ids) {
        holders.set(id, (holders.get(id) ?? new Set()).add(`${conversation.id} ${turn.id}`));
      }
      stored.turns += 1;
      if (ids.length === 0) stored.lost += 1;
    }
  }
  return { ...stored, memories: holders.size };
}

async function askAll(engine: Engine, dataset: Dataset, holders: Holders): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const conversation of dataset.conversations) {
    progress(`asking ${conversation.id}`);
    for (const question of conversation.questions) {
      asked.push(await ask(engine, { conversation, question, holders }));
    }
  }
  progress('');
  return asked;
}

type Asking = { conversation: Conversation; question: Question; holders: Holders };

async function ask(engine: Engine, { conversation, question, holders }: Asking): Promise<Asked> {
  const evidence = question.evidence.map((turn) => `${conversation.id} ${turn}`);
  const input = { query: question.question, user_id: conversation.id, threshold: 0 };
  const { value, ms } = await timed(() => engine.search({ ...input, top_k: topK }));
  const more = await engine.search({ ...input, top_k: readTopK });
  const read = ranksOf(readable(more.hits), { evidence, holders });
  return {
    conversation: conversation.id,
    question: question.question,
    category: question.category,
    ranks: ranksOf(value.hits, { evidence, holders }),
    within: mean(read.map((rank) => (Number.isFinite(rank) ? 1 : 0))),
    tokens: countTokens(value.text),
    ms,
  };
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
