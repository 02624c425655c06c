import type { Clock } from '../../core/ports/index.ts';
import type { ChatModel } from './chat-completions.ts';
import type { TokenLedger } from './token-budget.ts';

/** A model and its budgets. */
export type LlmContext = {
  chat: ChatModel;
  tokensOf: (text: string) => number;
  clock: Clock;
  ledger: TokenLedger;
  /** Longest request, then the time and tokens that one task may cost. */
  input_tokens: number;
  budget_ms: number;
  add_tokens: number;
};
