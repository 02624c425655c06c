import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { mneme } from '../client.ts';
import { fillServerMemory } from '../fill-store.ts';
import type { Sentence } from '../sentences.ts';
import {
  answerTimes,
  minimalStarting,
  mnemeStarting,
  serverMemoryStarting,
  startInTurns,
} from '../startup-contenders.ts';
import type { FirstAnswers } from '../startup-times.ts';
import { median } from '../statistics.ts';
import { copyOfFilled, type Line, line, type Plan } from './sides.ts';

/** Starts of both sides, of a server that is only the SDK, and of the reference server. */
export async function measureStartup({ sides, folder, sentences, rounds }: Plan): Promise<Line[]> {
  const asked = sentences.at(-1) as Sentence;
  const theirs = join(folder, 'server-memory');
  mkdirSync(theirs);
  await fillServerMemory(theirs, sentences);
  const contenders = [
    ...sides.map((side) =>
      mnemeStarting(side.name, mneme(copyOfFilled(side, 'startup'), [], side.cli), asked),
    ),
    await minimalStarting(folder, asked),
    serverMemoryStarting(theirs, asked),
  ];
  const [before = [], now = [], bare = [], other = []] = await startInTurns(contenders, rounds);
  const row = (name: string, answer: number, to: readonly FirstAnswers[]) => {
    const times = (runs: readonly FirstAnswers[]) => median(answerTimes(runs, answer));
    const ratios = [times(before) / times(to), times(now) / times(to)] as const;
    return line(name, ratios, (ratio) => ratio.toFixed(2));
  };
  return [
    row('spawn to initialize, of a bare SDK server', 0, bare),
    row('spawn to first search, of server-memory', 2, other),
  ];
}
