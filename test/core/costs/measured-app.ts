import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { vi } from 'vitest';
import { type App, createApp } from '../../../src/app/create-app.ts';
import { defaultOnThisMachine } from '../../../src/config/option.ts';
import { type Config, optionNames, options } from '../../../src/config/options.ts';
import type { OperationName } from '../../../src/contract.ts';
import { chunks } from '../../bench/fill-store.ts';
import { makeSentences, type Sentence } from '../../bench/sentences.ts';
import { type Counts, type DriverProbe, watchDriver } from '../../support/driver-counts.ts';

export type Input = Record<string, unknown>;

/** The program as it is by default, with the memories of a user, and what its calls cost. */
export type MeasuredApp = {
  /** Of the user's memories. */
  ids: readonly string[];
  /** The first ones are what the memories say. */
  sentences: readonly Sentence[];
  /** Gives a new user as many memories; returns the user. */
  fillAnother(count: number): Promise<string>;
  /** The cost of a call, together with the record of it that is written later. */
  costOf(name: OperationName, input: Input): Promise<Counts>;
  storedBytes(): number;
  close(): Promise<void>;
};

/** The user of whose memories there are as many as a test says. */
export const user_id = 'ann';

/** Texts that no fill uses: no two memories say the same. */
const spareTexts = 2_500;

export async function startMeasured(memories: number): Promise<MeasuredApp> {
  // Nothing is done because time has passed, such as to look for work or to let others have a turn.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'], now: start });
  const probe = await watchDriver();
  const data_dir = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  const values = Object.fromEntries(
    optionNames.map((name) => [name, defaultOnThisMachine(options[name])]),
  );
  const app = createApp({ ...(values as Config), data_dir }, { log: () => {} });
  const sentences = makeSentences(memories + spareTexts, 1);
  const fill = createFill(app, sentences);
  const { costOf, storedBytes } = createMeter(app, probe);
  let others = 0;
  return {
    ids: await fill(user_id, memories),
    sentences,
    fillAnother: async (count) => {
      others += 1;
      const name = `other-${others}`;
      await fill(name, count);
      return name;
    },
    costOf,
    storedBytes,
    close: async () => {
      await app.close();
      probe.remove();
      vi.useRealTimers();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

const start = Date.parse('2026-03-14T09:26:53.000Z');
const callMs = 1000;

function passTime(): void {
  vi.setSystemTime(Date.now() + callMs);
}

/** Memories that one request of a fill carries. */
const batch = 500;

function createFill({ invoke, caller }: App, sentences: readonly Sentence[]) {
  let told = 0;
  return async (owner: string, count: number): Promise<string[]> => {
    const texts = sentences.slice(told, told + count);
    told += count;
    const ids: string[] = [];
    for (const part of chunks(texts, batch)) {
      passTime();
      const messages = part.map(({ text }) => ({ role: 'user', content: text }));
      const input = { messages, infer: false, user_id: owner, async_mode: false };
      const { results } = await invoke('add_memory', input, { caller });
      for (const { id } of results) ids.push(id ?? '');
    }
    return ids;
  };
}

function createMeter({ invoke, caller, open }: App, { count, storedBytes }: DriverProbe) {
  const costOf = async (name: OperationName, input: Input): Promise<Counts> => {
    const { deps } = await open();
    passTime();
    return count(async (counts) => {
      await invoke(name, input, { caller });
      await deps.flushEvents?.();
      await settled(counts);
    });
  };
  return { costOf, storedBytes };
}

/** Waits for the work that a call left to the background. */
async function settled(counts: Counts): Promise<void> {
  for (let quiet = 0, before = -1; quiet < quietTurns; quiet += 1) {
    if (counts.statements !== before) quiet = 0;
    before = counts.statements;
    await turnOfOthers();
  }
}

const quietTurns = 10;
