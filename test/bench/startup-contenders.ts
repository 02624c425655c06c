import { minimal } from './bundle-minimal.ts';
import { type Program, serverMemory } from './client.ts';
import { user_id } from './fill-store.ts';
import type { Sentence } from './sentences.ts';
import { type FirstAnswers, firstAnswers } from './startup-times.ts';
import { inRounds } from './turns.ts';

/** A program whose start is timed. */
export type Starting = { name: string; run: () => Promise<FirstAnswers> };

export function mnemeStarting(name: string, program: Program, { question }: Sentence): Starting {
  return starting(name, program, ['search_memories', { query: question, user_id }]);
}

export async function minimalStarting(folder: string, { question }: Sentence): Promise<Starting> {
  const program = await minimal(folder, 'minimal-server.ts');
  return starting('minimal server', program, ['echo', { text: question }]);
}

export function serverMemoryStarting(folder: string, { phrase }: Sentence): Starting {
  return starting('server-memory', serverMemory(folder), ['search_nodes', { query: phrase }]);
}

type ToolCall = [name: string, args: Record<string, unknown>];

function starting(name: string, program: Program, [tool, args]: ToolCall): Starting {
  const requests = [
    { method: 'tools/list', params: {} },
    { method: 'tools/call', params: { name: tool, arguments: args } },
  ];
  return { name, run: () => firstAnswers(program, requests) };
}

/** What each took to start, round by round; the first round only warms the file cache. */
export async function startInTurns(
  contenders: readonly Starting[],
  rounds: number,
): Promise<FirstAnswers[][]> {
  const measured = contenders.map((): FirstAnswers[] => []);
  await inRounds(contenders, rounds, async ({ contender, index, round }) => {
    const result = await contender.run();
    if (round >= 0) measured[index]?.push(result);
  });
  return measured;
}

/** Of `initialize`, `tools/list` and the first call, by its place. */
export function answerTimes(runs: readonly FirstAnswers[], answer: number): number[] {
  return runs.flatMap(({ ms }) => ms[answer] ?? []);
}
