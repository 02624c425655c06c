import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Service, spawnService, until } from '../service.ts';
import type { Settings } from '../support.ts';

/** A time in which the event loop served nobody: of the processor, and of the clock. */
export type Stretch = { ms: number; wallMs: number; functions: { name: string; ms: number }[] };

/** What the process did since the last look. */
export type Look = { cpuMs: number; stretches: Stretch[] };

export type ProbedService = Service & {
  look(): Promise<Look>;
  /** As `look`, for what nobody asks about: it costs nothing. */
  forget(): Promise<void>;
};

const probe = pathToFileURL(resolve('test/e2e/loop/probe.mjs')).href;

/** A service that tells what held its event loop. */
export async function spawnProbed(settings: Settings): Promise<ProbedService> {
  const service = await spawnService({
    ...settings,
    env: { ...settings.env, NODE_OPTIONS: `--import=${probe}` },
  });
  const url = await until(
    () => /loop probe on (\S+)/.exec(service.stderr())?.[1],
    (found) => found !== undefined,
  );
  return {
    ...service,
    look: async () => (await (await fetch(`${url}/`)).json()) as Look,
    forget: async () => void (await (await fetch(`${url}/forget`)).text()),
  };
}

/** Waits until all that was sent to be inferred is. */
export async function untilInferred({ url }: Service, withinMs: number): Promise<void> {
  await until(
    async () => {
      const text = await (
        await fetch(`${url}/metrics`, { headers: { Connection: 'close' } })
      ).text();
      return /^mneme_queue_depth (\S+)$/m.exec(text)?.[1];
    },
    (depth) => depth === '0',
    { withinMs, everyMs: 20 },
  );
}
