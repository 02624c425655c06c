import type { Config } from '../../config/options.ts';
import { reasonOf } from '../../contract/errors.ts';
import type { Clock, Extractor, TokenUsageTable } from '../../core/ports/index.ts';
import { allByRulesNotice } from '../../providers/language/llm-extractor.ts';
import { openLanguageModel } from '../models/language-model.ts';
import { type Check, failed, ok, warning } from './check.ts';

/** Lets the configured language model read one sentence, and reports the result and its cost. */
export async function checkLanguageModel(config: Config): Promise<Check> {
  const name = 'Language model';
  const language = openLanguageModel(config, {
    clock,
    fallback: noFallback,
    tokens: uncountedTokens,
    log: () => {},
  });
  if (language === null) return ok(name, 'none');
  const timeout = AbortSignal.timeout(config.llm_timeout_ms);
  try {
    const read = await language.extractor.extract(
      {
        messages: [{ role: 'user', content: 'My cat is called Miso.' }],
        known: [],
        said_at: clock.now(),
        settings: { includes: null, excludes: null, instructions: null, categories: null },
        graph: false,
      },
      timeout,
    );
    const { decisions, by, notice, cost } = read;
    if (by !== language.writer.name) {
      const finding = (notice ?? 'it returned nothing').replace(allByRulesNotice, '');
      return failed(name, finding, untilItWorks);
    }
    const { input_tokens = 0, output_tokens = 0, ms = 0 } = cost ?? {};
    const finding = `${by} responds: ${input_tokens} tokens in, ${output_tokens} out, ${ms} ms`;
    if (decisions.some(({ event }) => event === 'ADD')) return ok(name, finding);
    const advice = 'It found no fact in a simple sentence; choose a larger model.';
    return warning(name, finding, advice);
  } catch (error) {
    const late = `no answer within ${config.llm_timeout_ms} ms`;
    const reason = timeout.aborted ? late : reasonOf(error);
    return failed(name, reason, untilItWorks);
  } finally {
    await language.close();
  }
}

const untilItWorks = 'Until it works, rules extract the facts.';

const clock: Clock = { now: () => new Date().toISOString() };

/** No fallback: the check is about the model itself. */
const noFallback: Extractor = {
  extract: async () => ({ decisions: [], by: 'rules', notice: null, cost: null }),
};

/** Not counted: the check opens no store, and one sentence a day makes no difference. */
const uncountedTokens: TokenUsageTable = { getUsage: async () => 0, addUsage: async () => {} };
