import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chunks } from '../fill-store.ts';
import { settled } from '../load-turns.ts';
import { answerOf, post } from '../rest-requests.ts';
import { type Server, startService } from '../rest-servers.ts';
import { milliseconds } from '../table.ts';
import { addsOfSize, corpusTalks } from '../talks.ts';
import { inRounds } from '../turns.ts';
import { type Line, line, type Plan, type Side, withBoth } from './sides.ts';

/** Conversations that rules understand, a turn an add, one after the other. */
export function measureInfer({ sides, said, turns }: Plan): Promise<Line[]> {
  return withBoth(sides, { open: onNewStore, close: (server) => server.stop() }, async (both) => {
    const each = Math.ceil(said / turns);
    const parts = chunks(addsOfSize(corpusTalks(), 1, each * (turns + 1)), each);
    const cpuMs: [number, number] = [0, 0];
    await inRounds(both, turns, async ({ contender, index, round }) => {
      const start = contender.cpuMs();
      for (const add of parts[round + 1] ?? []) {
        await answerOf(contender, post('/v1/memories/', { ...add, async_mode: false }));
      }
      await settled(contender);
      if (round >= 0) cpuMs[index === 0 ? 0 : 1] += contender.cpuMs() - start;
    });
    const counted = each * turns;
    const perTurn = [cpuMs[0] / counted, cpuMs[1] / counted] as const;
    return [line('add by rules: cpu ms a turn', perTurn, milliseconds)];
  });
}

function onNewStore({ cli, folder }: Side): Promise<Server> {
  const place = join(folder, 'infer');
  mkdirSync(place, { recursive: true });
  return startService(place, 'normal', { cli });
}
