import type { Clock } from '../../core/ports/index.ts';
import type { Chat } from './chat.ts';
import type { Ledger } from './meter.ts';

/** A model, and what it may cost. */
export type ModelWork = {
  chat: Chat;
  tokensOf: (text: string) => number;
  clock: Clock;
  ledger: Ledger;
  /** Longest request, and how much time and how many tokens one piece of work may cost. */
  input_tokens: number;
  budget_ms: number;
  add_tokens: number;
};
