import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeQuery } from '../../src/core/language/analyze.ts';
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

const notTold = new Set(
  analyzeQuery('user users utilisateur utilisatrice usuario usuaria utente benutzer nutzer') //
    .concat(analyzeQuery('nutzerin benutzerin пользователь usuária usuário ユーザー 用户')),
);

function termsOf(text: string): Set<string> {
  return new Set(analyzeQuery(text).filter((term) => !notTold.has(term)));
}

function coverage(of: ReadonlySet<string>, by: ReadonlySet<string>): number {
  return of.size === 0 ? 0 : [...of].filter((term) => by.has(term)).length / of.size;
}

export type PairVerdict = { pair: Pair; isRight: boolean; after: string[] };

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
      const after = (await listStored(engine, user_id)).map(({ memory }) => memory);
      verdicts.push({ pair, after, isRight: isPairRight(pair, after) });
    }
    return verdicts;
  } finally {
    await engine.stop();
  }
}

/** The old memory is gone or stays as it should; what must stay is found in one that is there. */
function isPairRight({ old, old_must_go, still }: Pair, after: readonly string[]): boolean {
  if (after.includes(old) === old_must_go) return false;
  if (still === undefined) return true;
  const terms = termsOf(still);
  return after.some((memory) => coverage(terms, termsOf(memory)) >= 0.99);
}

async function addText(engine: Engine, user_id: string, text: string): Promise<void> {
  await engine.invoke('add_memory', { text, user_id }, { caller: owner });
}

async function listStored(engine: Engine, user_id: string): Promise<StoredMemory[]> {
  const selection: Selection = {
    filter: { field: 'user_id', path: [], operator: 'eq', value: user_id },
    ...{ latest_only: true, not_expired_on: null, status: 'active' as const },
  };
  return engine.store.memories.listOldest(engine.projects.own, selection, 200);
}
