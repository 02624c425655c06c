import { ApiError } from '../../contract/errors.ts';
import type { Clock, ModelCost } from '../../core/ports.ts';

/** Counts what one piece of work costs, and ends it when that is too much. */
export type Meter = {
  /** Throws `unavailable` when no further call may be made. */
  begin(): void;
  end(tokens: Pick<ModelCost, 'input_tokens' | 'output_tokens'>): void;
  cost(): ModelCost;
};

/** What all work of a process costs in a day (UTC). */
export type Ledger = { spend(tokens: number): void; isUsedUp(): boolean };

function usedUp(option: string): ApiError {
  return new ApiError('unavailable', `${option} is used up`);
}

type Budget = { clock: Clock; ledger: Ledger; tokens_max: number };

export function createMeter({ clock, ledger, tokens_max }: Budget): Meter {
  const started = Date.parse(clock.now());
  const spent = { calls: 0, input_tokens: 0, output_tokens: 0 };
  return {
    begin: () => {
      if (ledger.isUsedUp()) throw usedUp('llm_daily_tokens');
      if (spent.input_tokens + spent.output_tokens >= tokens_max) {
        throw usedUp('llm_add_tokens');
      }
      spent.calls += 1;
    },
    end: ({ input_tokens, output_tokens }) => {
      spent.input_tokens += input_tokens;
      spent.output_tokens += output_tokens;
      ledger.spend(input_tokens + output_tokens);
    },
    cost: () => ({ ...spent, ms: Date.parse(clock.now()) - started }),
  };
}

/** `daily_tokens` of 0 is no limit. */
export function createLedger(options: { clock: Clock; daily_tokens: number }): Ledger {
  const { clock, daily_tokens } = options;
  let day = '';
  let spent = 0;
  const today = () => clock.now().slice(0, 'YYYY-MM-DD'.length);
  return {
    spend: (tokens) => {
      spent = (today() === day ? spent : 0) + tokens;
      day = today();
    },
    isUsedUp: () => daily_tokens > 0 && today() === day && spent >= daily_tokens,
  };
}
