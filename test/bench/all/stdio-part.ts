import { connect, mneme, type Tools } from '../client.ts';
import { chunks, user_id } from '../fill-store.ts';
import { makeSentences } from '../sentences.ts';
import { percentile, timed } from '../statistics.ts';
import { milliseconds } from '../table.ts';
import { inRounds } from '../turns.ts';
import { copyOfFilled, type Line, line, type Plan, type Side, withBoth } from './sides.ts';

/** Adds through pipes, one after the other, that survive a loss of power. */
export function measureStdio({ sides, sentences, calls, turns }: Plan): Promise<Line[]> {
  const open = (side: Side) =>
    connect(mneme(copyOfFilled(side, 'stdio'), ['--synchronous', 'full'], side.cli));
  return withBoth(sides, { open, close: (tools) => tools.close() }, async (both) => {
    const each = Math.ceil(calls / turns);
    const fresh = makeSentences(sentences.length + each * (turns + 1), 1).slice(sentences.length);
    const parts = chunks(fresh, each);
    const times: [number[], number[]] = [[], []];
    await inRounds(both, turns, async ({ contender, index, round }) => {
      for (const { text } of parts[round + 1] ?? []) {
        const ms = await timeOfAdd(contender, text);
        if (round >= 0) times[index]?.push(ms);
      }
    });
    const [before, now] = times;
    const name = 'add over stdio, durable, one by one: p50 ms';
    return [line(name, [percentile(before, 50), percentile(now, 50)], milliseconds)];
  });
}

async function timeOfAdd(tools: Tools, text: string): Promise<number> {
  const { value, ms } = await timed(() => tools.call('add_memory', { text, user_id }));
  if (!value.text.includes(text)) throw new Error(`not added: ${value.text.slice(0, 500)}`);
  return ms;
}
