import type { Clock } from '../../core/ports/index.ts';
import type { ChatModel } from './chat-completions.ts';
import type { TokenLedger } from './token-budget.ts';

/** A model, and what it may cost. */
export type LlmContext = {
  chat: ChatModel;
  tokensOf: (text: string) => number;
  clock: Clock;
  ledger: TokenLedger;
  /** Longest request, and how much time and how many tokens one piece of work may cost. */
  input_tokens: number;
  budget_ms: number;
  add_tokens: number;
};
