import { ApiError, reasonOf } from '../../contract/errors.ts';
import { isoDayOf } from '../../contract/wall-clock.ts';
import type { Clock, Logger, ModelCost, TokenUsageTable } from '../../core/ports/index.ts';

/** Counts the tokens of one task, and ends it over the limit. */
export type UsageMeter = {
  /** Throws `unavailable` when no further call is allowed. */
  begin(): Promise<void>;
  end(tokens: Pick<ModelCost, 'input_tokens' | 'output_tokens'>): Promise<void>;
  cost(): ModelCost;
};

/** The tokens that a store spends per day (UTC). */
export type TokenLedger = { spend(tokens: number): Promise<void>; isExhausted(): Promise<boolean> };

function budgetExhausted(budget: string): ApiError {
  return new ApiError('unavailable', `${budget} used up`);
}

type UsageMeterOptions = { clock: Clock; ledger: TokenLedger; tokens_max: number };

export function createUsageMeter({ clock, ledger, tokens_max }: UsageMeterOptions): UsageMeter {
  const started = Date.parse(clock.now());
  const spent = { calls: 0, input_tokens: 0, output_tokens: 0 };
  return {
    begin: async () => {
      if (await ledger.isExhausted()) throw budgetExhausted('llm_daily_tokens is');
      if (spent.input_tokens + spent.output_tokens >= tokens_max) {
        throw budgetExhausted('the tokens of one add are');
      }
      spent.calls += 1;
    },
    end: async ({ input_tokens, output_tokens }) => {
      spent.input_tokens += input_tokens;
      spent.output_tokens += output_tokens;
      await ledger.spend(input_tokens + output_tokens);
    },
    cost: () => ({ ...spent, ms: Date.parse(clock.now()) - started }),
  };
}

export type TokenLedgerOptions = {
  clock: Clock;
  /** 0 means no limit. */
  daily_tokens: number;
  /** The table that counts tokens. */
  tokens: TokenUsageTable;
  log: Logger;
};

/**
 * Counts for all processes on a store. If the store is unavailable, no work is lost: the tokens are
 * counted later, and the last known count is used.
 */
export function createTokenLedger({
  clock,
  daily_tokens,
  tokens,
  log,
}: TokenLedgerOptions): TokenLedger {
  if (daily_tokens === 0) return unlimitedLedger;
  let last = { day: '', spent: 0 };
  let uncounted = { day: '', tokens: 0 };
  const today = () => isoDayOf(clock.now());
  const failed = (error: unknown) => {
    log('warn', 'llm_daily_tokens could not be counted', { error: reasonOf(error) });
  };

  return {
    spend: async (spent) => {
      const day = today();
      const owed = spent + (uncounted.day === day ? uncounted.tokens : 0);
      uncounted = { day, tokens: 0 }; // so that concurrent spending does not count it twice
      try {
        await tokens.addUsage(day, owed);
        last = { day, spent: (last.day === day ? last.spent : 0) + owed };
      } catch (error) {
        failed(error);
        // A past day needs no counting.
        if (uncounted.day === day) uncounted = { day, tokens: uncounted.tokens + owed };
      }
    },
    isExhausted: async () => {
      const day = today();
      try {
        last = { day, spent: await tokens.getUsage(day) };
      } catch (error) {
        failed(error);
      }
      const spent = last.day === day ? last.spent : 0;
      const owed = uncounted.day === day ? uncounted.tokens : 0;
      return spent + owed >= daily_tokens;
    },
  };
}

const unlimitedLedger: TokenLedger = { spend: async () => {}, isExhausted: async () => false };
