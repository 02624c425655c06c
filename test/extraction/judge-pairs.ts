import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Selection, StoredMemory } from '../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

/** A line of `pairs/*.jsonl`. */
export type Pair = {
  id: string;
  language: string;
  old: string;
  new: string;
  kind: 'plain' | 'hard' | 'trap' | 'second';
  old_must_go: boolean;
  still?: string;
};

export type Half = 'development' | 'acceptance';

export function readLines<Line>(half: Half): Line[] {
  const file = join('test', 'extraction', 'pairs', `${half}.jsonl`);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line): Line => JSON.parse(line));
}

/** What became of the old memory: a newer one took its place, may take it, or leaves it alone. */
type Fate = 'updated' | 'named' | 'kept';
export type PairVerdict = { pair: Pair; fate: Fate; isRight: boolean };

/** Stores each old memory as it is, lets the user say the new statement a month later, and looks. */
export async function judgePairs(pairs: readonly Pair[]): Promise<PairVerdict[]> {
  const engine = await startEngine();
  try {
    const verdicts: PairVerdict[] = [];
    for (const pair of pairs) {
      const user_id = pair.id;
      await addText(engine, user_id, pair.old);
      engine.clock.advance(30 * 24 * 60 * 60 * 1000);
      const messages = [{ role: 'user', content: pair.new }];
      await engine.invoke(
        'add_memory',
        { messages, user_id, async_mode: false },
        { caller: owner },
      );
      const fate = fateOf(pair.old, await listStored(engine, user_id));
      verdicts.push({ pair, fate, isRight: isPairRight(pair, fate) });
    }
    return verdicts;
  } finally {
    await engine.stop();
  }
}

function fateOf(old: string, stored: readonly StoredMemory[]): Fate {
  const before = stored.find(({ memory }) => memory === old);
  if (before === undefined) return 'updated';
  return stored.some(({ may_replace }) => may_replace.includes(before.id)) ? 'named' : 'kept';
}

/** A memory with another fact that is still true must stay. */
function isPairRight({ old_must_go, still }: Pair, fate: Fate): boolean {
  if (!old_must_go) return fate === 'kept';
  return still === undefined ? fate !== 'kept' : fate === 'named';
}

async function addText(engine: Engine, user_id: string, text: string): Promise<void> {
  await engine.invoke('add_memory', { text, user_id }, { caller: owner });
}

async function listStored(engine: Engine, user_id: string): Promise<StoredMemory[]> {
  const selection: Selection = {
    filter: { field: 'user_id', path: [], operator: 'eq', value: user_id },
    latest_only: true,
    not_expired_on: null,
    status: 'active' as const,
  };
  return engine.store.memories.listOldest(engine.projects.own, selection, 200);
}
