// Adds that rules understand, through the queue, beside adds that store word for word:
// `npm run bench:infer`. What is measured, flags and results: README.md.
import { parseArgs } from 'node:util';
import { withFolder } from './client.ts';
import { type Engine, startDirect } from './engines.ts';
import { percentile, timed } from './statistics.ts';
import { milliseconds, perSecond, table } from './table.ts';
import { type Add, addsOfSize, corpusTalks, countTurns, talksOf } from './talks.ts';

type Way = { name: string; input: Record<string, unknown> };

const { values: flags } = parseArgs({
  options: {
    /** Conversations in a file, as `bench:locomo` takes them, in place of those of the tests. */
    data: { type: 'string' },
    /** Turns that each row is measured with, and as many before that are not counted. */
    turns: { type: 'string', default: '1500' },
    /** Turns of one add. */
    per_add: { type: 'string', default: '1,2,10' },
  },
});
const turns = Number(flags.turns);
const talks = flags.data ? talksOf(flags.data) : corpusTalks();

const ways: readonly Way[] = [
  { name: 'word for word', input: { infer: false } },
  { name: 'by rules', input: {} },
];

const head = ['turns an add', 'adds', 'adds a second', 'a turn p50 ms', 'p95', 'cpu ms a turn'];
const rows: string[][] = [];
for (const size of flags.per_add.split(',').map(Number)) {
  for (const way of ways) rows.push(await withFolder((folder) => measure(folder, size, way)));
}
console.log(table(head, rows));

/** A store of its own for each row: what one leaves behind is not in the way of the next. */
async function measure(folder: string, size: number, { name, input }: Way): Promise<string[]> {
  const engine = await startDirect(folder);
  try {
    const adds = addsOfSize(talks, size, 2 * turns);
    const half = adds.findIndex((_, index) => countTurns(adds.slice(0, index)) >= turns);
    await run(engine, adds.slice(0, half), input);
    const counted = adds.slice(half);
    const before = process.cpuUsage();
    const times = await run(engine, counted, input);
    const { user, system } = process.cpuUsage(before);
    const wall = times.reduce((sum, ms) => sum + ms, 0);
    const perTurn = times.map((ms, index) => ms / (counted[index]?.messages.length ?? 1));
    return [
      `${size}, ${name}`,
      String(counted.length),
      perSecond(counted.length, wall),
      milliseconds(percentile(perTurn, 50)),
      milliseconds(percentile(perTurn, 95)),
      milliseconds((user + system) / 1000 / countTurns(counted)),
    ];
  } finally {
    await engine.close();
  }
}

/** One add after the other, each until its memories are stored. */
async function run(engine: Engine, adds: readonly Add[], input: Way['input']): Promise<number[]> {
  const times: number[] = [];
  for (const add of adds) {
    const { ms } = await timed(() => engine.add({ ...add, ...input }));
    times.push(ms);
  }
  return times;
}
