// From the spawn of a server to its first answers, beside others, in one interleaved run:
// `npm run bench:startup`. What is compared, flags and results: README.md.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { minimal } from './bundle-minimal.ts';
import { mneme, type Program, serverMemory, withFolder } from './client.ts';
import { fillMneme, fillServerMemory, user_id } from './fill-store.ts';
import { makeSentences, type Sentence } from './sentences.ts';
import { type FirstAnswers, firstAnswers, type Request, runToEnd } from './startup-times.ts';
import { median, percentile } from './statistics.ts';
import { milliseconds, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    memories: { type: 'string', default: '10000' },
  },
});
const rounds = Number(flags.rounds);
const listTools: Request = { method: 'tools/list', params: {} };

type Contender = { name: string; program: Program; run: () => Promise<FirstAnswers> };

await withFolder(async (folder) => {
  const sentences = makeSentences(Number(flags.memories), 1);
  const contenders = await contendersIn(folder, sentences);
  const measured = await inTurns(contenders);
  print(contenders, measured);
});

async function contendersIn(folder: string, sentences: readonly Sentence[]): Promise<Contender[]> {
  const [ours, theirs] = [join(folder, 'mneme'), join(folder, 'server-memory')];
  mkdirSync(ours);
  mkdirSync(theirs);
  await fillMneme(ours, sentences);
  await fillServerMemory(theirs, sentences);
  const { question = '', phrase = '' } = sentences.at(-1) ?? {};
  return [
    contender('mneme', mneme(ours), callTool('search_memories', { query: question, user_id })),
    contender(
      'minimal server',
      await minimal(folder, 'minimal-server.ts'),
      callTool('echo', { text: question }),
    ),
    contender('server-memory', serverMemory(theirs), callTool('search_nodes', { query: phrase })),
    bareNode(),
  ];
}

function contender(name: string, program: Program, search: Request): Contender {
  return { name, program, run: () => firstAnswers(program, [listTools, search]) };
}

function callTool(name: string, args: Record<string, unknown>): Request {
  return { method: 'tools/call', params: { name, arguments: args } };
}

function bareNode(): Contender {
  const program = { args: ['-e', '0'], env: {} };
  return { name: 'node -e 0', program, run: () => runToEnd(program) };
}

/** Each round starts all of them, a different one first, so that noise meets all alike. */
async function inTurns(contenders: readonly Contender[]): Promise<FirstAnswers[][]> {
  const measured = contenders.map((): FirstAnswers[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const offset of contenders.keys()) {
      const index = (round + 1 + offset) % contenders.length;
      const result = await contenders[index]?.run();
      // The first round only warms the file cache.
      if (round >= 0 && result) measured[index]?.push(result);
    }
  }
  return measured;
}

function print(contenders: readonly Contender[], measured: readonly FirstAnswers[][]): void {
  const head = [
    ...['ms from spawn', 'initialize', 'p95', 'tools/list', 'search', 'p95'],
    ...['cpu to initialize', 'peak MB'],
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

function answerTimes(runs: readonly FirstAnswers[], answer: number): number[] {
  return runs.flatMap(({ ms }) => ms[answer] ?? []);
}
