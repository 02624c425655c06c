// Durable adds and searches in a filled store, through MCP, beside the reference server:
// `npm run bench:store`. What is compared, flags and results: README.md.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, mneme, serverMemory, type ToolAnswer, type Tools, withFolder } from './client.ts';
import { entityName, fillMneme, fillServerMemory, user_id } from './fill-store.ts';
import { makeSentences, type Sentence } from './sentences.ts';
import { mean, percentile, timed } from './statistics.ts';
import { milliseconds, percent, perSecond, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '500' },
    synchronous: { type: 'string', default: 'normal' },
  },
});
const memories = Number(flags.memories);
const calls = Number(flags.calls);
/** Work is done in turns of so many, so that noise meets both servers alike. */
const turns = 5;
/** The reference server rewrites its file with every change: fewer calls say enough. */
const slowShare = 0.2;

/** A prime: steps of it reach every place of a store of another size. */
const stride = 7919;

type Call = (sentence: Sentence, index: number) => Promise<ToolAnswer>;
type Measured = {
  name: string;
  share: number;
  of: 'new' | 'old';
  call: Call;
  ms: number[];
  /** What a right answer holds: a fast one that misses it is worth nothing. */
  asks: 'text' | 'phrase';
  right: number;
};

await withFolder(async (folder) => {
  const [ours, theirs] = [join(folder, 'mneme'), join(folder, 'server-memory')];
  mkdirSync(ours);
  mkdirSync(theirs);
  const sentences = makeSentences(memories + calls, 1);
  const old = sentences.slice(0, memories);
  const { ms: ourFill } = await timed(() => fillMneme(ours, old));
  const { ms: theirFill } = await timed(() => fillServerMemory(theirs, old));

  const mnemeTools = await connect(mneme(ours, ['--synchronous', flags.synchronous]));
  const theirTools = await connect(serverMemory(theirs));
  const measured = [...ourCalls(mnemeTools), ...theirCalls(theirTools)];
  await inTurns(measured, { old, fresh: sentences.slice(memories) });
  await mnemeTools.close();
  await theirTools.close();

  console.log(`\n${memories} memories, synchronous ${flags.synchronous}, Node ${process.version}`);
  const fills = [ourFill, theirFill].map((ms) => perSecond(memories, ms));
  console.log(`Filled in batches: mneme ${fills[0]} a second, server-memory ${fills[1]}\n`);
  print(measured);
});

function ourCalls(tools: Tools): Measured[] {
  const measure = measuring('mneme', 1);
  return [
    measure('add_memory, text', 'text', ({ text }) => tools.call('add_memory', { text, user_id })),
    measure('search_memories, two words', 'phrase', ({ phrase }) =>
      tools.call('search_memories', { query: phrase, user_id }),
    ),
    measure('search_memories, question', 'text', ({ question }) =>
      tools.call('search_memories', { query: question, user_id }),
    ),
  ];
}

/** It finds a text that holds the query as it is, so that it is asked for two words only. */
function theirCalls(tools: Tools): Measured[] {
  const measure = measuring('server-memory', slowShare);
  return [
    measure('add_observations', 'text', ({ text }, index) =>
      tools.call('add_observations', {
        observations: [{ entityName: entityName(index), contents: [text] }],
      }),
    ),
    measure('create_entities', 'text', ({ text }, index) =>
      tools.call('create_entities', {
        entities: [{ name: `new-${index}`, entityType: 'topic', observations: [text] }],
      }),
    ),
    measure('search_nodes, two words', 'phrase', ({ phrase }) =>
      tools.call('search_nodes', { query: phrase }),
    ),
  ];
}

function measuring(server: string, share: number) {
  return (name: string, asks: Measured['asks'], call: Call): Measured => ({
    name: `${server}: ${name}`,
    share,
    of: name.startsWith('search') ? 'old' : 'new',
    asks,
    call,
    ms: [],
    right: 0,
  });
}

type Texts = { old: readonly Sentence[]; fresh: readonly Sentence[] };

async function inTurns(measured: readonly Measured[], { old, fresh }: Texts): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    for (const one of measured) {
      const { share, of } = one;
      const count = Math.ceil((calls * share) / turns);
      for (let index = turn * count; index < (turn + 1) * count; index += 1) {
        // Old sentences are asked for all over the store, not only its beginning.
        const sentence = of === 'new' ? fresh[index] : old[(index * stride) % old.length];
        if (sentence) await measureOne(one, sentence, index);
      }
    }
  }
}

async function measureOne(one: Measured, sentence: Sentence, index: number): Promise<void> {
  const { value, ms } = await timed(() => one.call(sentence, index));
  one.ms.push(ms);
  if (value.text.includes(sentence[one.asks])) one.right += 1;
}

function print(measured: readonly Measured[]): void {
  const head = ['one call after the other', 'calls', 'right %', 'p50 ms', 'p95 ms', 'a second'];
  const rows = measured.map(({ name, ms, right }) => [
    name,
    String(ms.length),
    percent(right / ms.length),
    milliseconds(percentile(ms, 50)),
    milliseconds(percentile(ms, 95)),
    perSecond(1, mean(ms)),
  ]);
  console.log(table(head, rows));
}
