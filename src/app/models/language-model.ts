import type { Config } from '../../config/options.ts';
import { estimateTokens } from '../../contract/estimate-tokens.ts';
import { createValidityReader } from '../../core/extraction/dates/validity.ts';
import { detectRuleLanguages } from '../../core/extraction/languages/all-languages.ts';
import { certainSlotOf } from '../../core/extraction/slots.ts';
import { resolveQueryLanguages } from '../../core/language/resolve-languages.ts';
import { analyze, queryTermsOf } from '../../core/language/terms-of-text.ts';
import type {
  Clock,
  Extractor,
  Logger,
  TextWriter,
  TokenUsageTable,
} from '../../core/ports/index.ts';
import { createDateReader } from '../../providers/dates/date-reader.ts';
import { createCachedWriter } from '../../providers/language/cached-writer.ts';
import { type ChatModel, createChatModel } from '../../providers/language/chat-completions.ts';
import type { TermAnalyzer } from '../../providers/language/evidence.ts';
import { createLlmExtractor } from '../../providers/language/llm-extractor.ts';
import { createLlmWriter } from '../../providers/language/llm-writer.ts';
import { createTokenLedger } from '../../providers/language/token-budget.ts';
import { openHttpPool } from '../http-pool.ts';
import { createModelPost } from './model-post.ts';

/** The services of a configured language model. */
export type LanguageModel = { extractor: Extractor; writer: TextWriter; close(): Promise<void> };

export type LanguageModelOptions = {
  clock: Clock;
  fallback: Extractor;
  /** Counts the tokens of the model. */
  tokens: TokenUsageTable;
  log: Logger;
};

/** The configured language model, or null. `fallback` takes over when it fails. */
export function openLanguageModel(
  config: Config,
  { clock, fallback, tokens, log }: LanguageModelOptions,
): LanguageModel | null {
  const opened = openChatModel(config, clock);
  if (opened === null) return null;
  const { llm_input_tokens, llm_timeout_ms, llm_daily_tokens } = config;
  const shared = {
    chat: opened.chat,
    clock,
    tokensOf: estimateTokens,
    ledger: createTokenLedger({ clock, daily_tokens: llm_daily_tokens, tokens, log }),
    input_tokens: llm_input_tokens,
    budget_ms: requestsPerAdd * llm_timeout_ms,
    add_tokens: addTokensMax,
  };
  // A caller waits for a summary or a profile, so its budget is one request, not a whole add.
  const writing = { ...shared, budget_ms: llm_timeout_ms };
  return {
    extractor: createLlmExtractor({
      ...shared,
      fallback,
      createTermAnalyzer,
      findSlot: findSlotOf,
      readValidity: createValidityReader(createDateReader()),
    }),
    writer: createCachedWriter(createLlmWriter(writing)),
    close: opened.close,
  };
}

/** The chat model; null if none is configured. */
function openChatModel(
  config: Config,
  clock: Clock,
): { chat: ChatModel; close(): Promise<void> } | null {
  const { llm_url: url, llm_model: model, llm_api_key: api_key, llm_timeout_ms } = config;
  if (url === null) return null;
  const connection = openHttpPool({ url, timeout_ms: llm_timeout_ms });
  const server = { kind: 'llm', url, api_key, timeout_ms: llm_timeout_ms, connection } as const;
  const post = createModelPost({
    ...server,
    answer_max_bytes: responseMaxBytes,
    pause_max_ms: retryDelayMaxMs,
  });
  const chat = createChatModel({
    post,
    model,
    clock,
    tokensOf: estimateTokens,
    output_tokens: outputTokensMax,
  });
  return { chat, close: connection.close };
}

/** An add may take as long as this many requests that are all as slow as they may be. */
const requestsPerAdd = 3;

/**
 * A response takes 50 to 300 tokens, more if the model reasons first. If it is cut off, the batch
 * is split.
 */
const outputTokensMax = 4000;

/** Over a hundred usual requests: more is a conversation gone wrong, which rules finish. */
const addTokensMax = 200_000;

/** Many times the size of a response of `outputTokensMax` tokens. */
const responseMaxBytes = 2 * 1024 * 1024;

/** Rate limits mostly last a minute, and only the queue waits. */
const retryDelayMaxMs = 60_000;

/** An analyzer for the languages of a text. */
async function createTermAnalyzer(text: string): Promise<TermAnalyzer> {
  const reading = await resolveQueryLanguages(text.slice(0, detectionMaxChars), []);
  return {
    all: (other) => analyze(other, reading.stems),
    // English comes first among the forms of a word, and the language of the text after it.
    salient: (other) => queryTermsOf(other, reading).flatMap((forms) => forms.slice(-1)),
  };
}

/**
 * Finds the slot of which a text certainly gives the value, by rules: in English in the third
 * person, in other languages in the original words.
 */
function findSlotOf(texts: readonly string[], speaker: string): string | null {
  for (const text of texts) {
    for (const language of detectRuleLanguages(text)) {
      const slot = certainSlotOf({ text, language, speaker }, 'stored');
      if (slot !== null && !slot.ended) return slot.name;
    }
  }
  return null;
}

/** Enough text to detect a language. */
const detectionMaxChars = 10_000;
