import { readFileSync } from 'node:fs';
import type { Cut } from '../../src/contract/schemas/search.ts';
import type { EmbeddedMemory } from '../../src/index.ts';

/**
 * What is stored, what is asked, and which memories answer: all of `wanted`, and none besides but
 * the `tolerated`. A case of several turns is one conversation.
 */
export type PrecisionCase = {
  id: string;
  kind: string;
  memories: { text: string; user_id?: string; created_at?: string; run_id?: string }[];
  turns: string[];
  wanted: number[][];
  tolerated: number[][];
};

export function readPrecisionCases(file: string | URL): PrecisionCase[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The outcome of one turn. */
export type PrecisionOutcome = {
  case: PrecisionCase;
  turn: number;
  found: number[];
  isRight: boolean;
};

/** Stores the memories of each case for people of its own, and asks its turns by `get_context`. */
export async function askPrecisely(
  memory: EmbeddedMemory,
  cases: readonly PrecisionCase[],
  cut: Cut,
): Promise<PrecisionOutcome[]> {
  const outcomes: PrecisionOutcome[] = [];
  for (const one of cases) {
    const ids: string[] = [];
    for (const { text, user_id = 'ann', created_at, run_id } of one.memories) {
      const owner = { user_id: `${one.id} ${user_id}`, ...(run_id && { run_id }) };
      const timestamp =
        created_at === undefined ? {} : { timestamp: Date.parse(created_at) / 1000 };
      const { results } = await memory.addMemory({ text, ...owner, ...timestamp });
      ids.push(results[0]?.id ?? '');
    }
    for (const turn of one.turns.keys()) {
      const messages = one.turns.slice(0, turn + 1).map((content) => ({ role: 'user', content }));
      const asked = { user_id: `${one.id} ann`, messages, cut };
      const { blocks } = await memory.getContext({ ...asked, reference_date: '2026-06-15' });
      const found = blocks.flatMap(({ memory_ids }) => memory_ids).map((id) => ids.indexOf(id));
      const wanted = one.wanted[turn] ?? [];
      const allowed = [...wanted, ...(one.tolerated[turn] ?? [])];
      const isRight =
        wanted.every((index) => found.includes(index)) &&
        found.every((index) => allowed.includes(index));
      outcomes.push({ case: one, turn, found, isRight });
    }
  }
  return outcomes;
}
