// From the spawn of a server to its first answers, beside others, in one interleaved run:
// `npm run bench:startup`. What is compared, flags and results: README.md.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mneme, withFolder } from './client.ts';
import { fillMneme, fillServerMemory } from './fill-store.ts';
import { makeSentences, type Sentence } from './sentences.ts';
import {
  answerTimes,
  minimalStarting,
  mnemeStarting,
  type Starting,
  serverMemoryStarting,
  startInTurns,
} from './startup-contenders.ts';
import { type FirstAnswers, runToEnd } from './startup-times.ts';
import { median, percentile } from './statistics.ts';
import { milliseconds, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    memories: { type: 'string', default: '10000' },
  },
});
const rounds = Number(flags.rounds);

await withFolder(async (folder) => {
  const sentences = makeSentences(Number(flags.memories), 1);
  const contenders = await contendersIn(folder, sentences);
  const measured = await startInTurns(contenders, rounds);
  print(contenders, measured);
});

async function contendersIn(folder: string, sentences: readonly Sentence[]): Promise<Starting[]> {
  const [ours, theirs] = [join(folder, 'mneme'), join(folder, 'server-memory')];
  mkdirSync(ours);
  mkdirSync(theirs);
  await fillMneme(ours, sentences);
  await fillServerMemory(theirs, sentences);
  const asked = sentences.at(-1) as Sentence;
  return [
    mnemeStarting('mneme', mneme(ours), asked),
    await minimalStarting(folder, asked),
    serverMemoryStarting(theirs, asked),
    bareNode(),
  ];
}

function bareNode(): Starting {
  const program = { args: ['-e', '0'], env: {} };
  return { name: 'node -e 0', run: () => runToEnd(program) };
}

function print(contenders: readonly Starting[], measured: readonly FirstAnswers[][]): void {
  const head = [
    'ms from spawn',
    'initialize',
    'p95',
    'tools/list',
    'search',
    'p95',
    'cpu to initialize',
    'peak MB',
  ];
  const rows = contenders.map(({ name }, index) => {
    const runs = measured[index] ?? [];
    return [
      name,
      shown(runs, { answer: 0, at: 50 }),
      shown(runs, { answer: 0, at: 95 }),
      shown(runs, { answer: 1, at: 50 }),
      shown(runs, { answer: 2, at: 50 }),
      shown(runs, { answer: 2, at: 95 }),
      orDash(median(runs.flatMap(({ cpuMs }) => cpuMs ?? []))),
      orDash(median(runs.flatMap(({ peakMb }) => peakMb ?? []))),
    ];
  });
  console.log(
    `\nMedians of ${rounds} rounds, ${flags.memories} memories, Node ${process.version}\n`,
  );
  console.log(table(head, rows));
  const clock = measured.map((runs) => median(answerTimes(runs, 0)));
  const cpu = measured.map((runs) => median(runs.flatMap(({ cpuMs }) => cpuMs ?? [])));
  console.log(`
To the answer of initialize, mneme takes, by the clock and in processor time,
  ${ratio(clock, 1)} and ${ratio(cpu, 1)} times the minimal server (at most 1.2)
  ${ratio(clock, 2)} and ${ratio(cpu, 2)} times server-memory (well under 0.5)`);
}

function ratio([ours = Number.NaN, ...others]: readonly number[], to: number): string {
  return (ours / (others[to - 1] ?? Number.NaN)).toFixed(2);
}

function orDash(number: number): string {
  return Number.isNaN(number) ? '-' : number.toFixed(0);
}

/** The echo of the minimal server stands in the column of the search. */
function shown(runs: readonly FirstAnswers[], { answer, at }: { answer: number; at: number }) {
  const times = answerTimes(runs, answer);
  return times.length === 0 ? '-' : milliseconds(percentile(times, at));
}
