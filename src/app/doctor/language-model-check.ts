import type { Config } from '../../config/options.ts';
import type { Clock, Extractor, TokenUsageTable } from '../../core/ports/index.ts';
import { openLanguageModel } from '../language-model.ts';
import { type Check, failed, ok, warning } from './check.ts';

/** Has the configured language model read a sentence; tells how that went, and what it cost. */
export async function checkLanguageModel(config: Config): Promise<Check> {
  const name = 'Language model';
  const language = openLanguageModel(config, {
    clock,
    fallback: noFallback,
    tokens: uncountedTokens,
    log: () => {},
  });
  if (language === null) return ok(name, 'none');
  try {
    const now = clock.now();
    const read = await language.extractor.extract(
      {
        messages: [{ role: 'user', content: 'My cat is called Miso.' }],
        known: [],
        now,
        said_at: now,
        settings: { includes: null, excludes: null, instructions: null, categories: null },
        graph: false,
      },
      AbortSignal.timeout(config.llm_timeout_ms),
    );
    const { decisions, by, notice, cost } = read;
    if (by !== language.writer.name) {
      const found = (notice ?? 'it reads nothing').replace(/^.*language model: /, '');
      return failed(name, found, 'Rules read what is added until it answers.');
    }
    const { input_tokens = 0, output_tokens = 0, ms = 0 } = cost ?? {};
    const found = `${by} answers: ${input_tokens} tokens in, ${output_tokens} out, ${ms} ms`;
    if (decisions.some(({ event }) => event === 'ADD')) return ok(name, found);
    const advice = 'It did not see what there is to remember in a sentence; choose a larger one.';
    return warning(name, found, advice);
  } catch {
    const found = `no answer within ${config.llm_timeout_ms} ms`;
    return failed(name, found, 'Rules read what is added until it answers.');
  } finally {
    await language.close();
  }
}

const clock: Clock = { now: () => new Date().toISOString() };

/** What the model does not read is not read: it is what is checked. */
const noFallback: Extractor = {
  extract: async () => ({ decisions: [], by: 'rules', notice: null, cost: null }),
};

/** It opens no store: a sentence more or less a day. */
const uncountedTokens: TokenUsageTable = { getUsage: async () => 0, addUsage: async () => {} };
