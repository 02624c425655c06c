import type { Decision, Understander } from '../ports.ts';
import { extract, type Statement } from './extract.ts';
import { loadSegmenter } from './sentences.ts';

/** Understands conversations by rules, without a model. */
export function createOfflineUnderstander(): Understander {
  setImmediate(loadSegmenter); // What is asked already goes first.
  return {
    understand: async ({ messages }) => ({
      decisions: extract(messages).map(toDecision),
      by: 'rules',
      notice: null,
      cost: null,
    }),
  };
}

function toDecision(statement: Statement): Decision {
  const unknown = { type: null, slot: null, occurred: null, said: null };
  return { event: 'ADD', target: null, reason: null, ...unknown, ...statement };
}
