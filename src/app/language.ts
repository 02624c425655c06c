import type { Config } from '../config/options.ts';
import { readQuery } from '../core/language/read.ts';
import { analyze, termsAsked } from '../core/memory/analyze.ts';
import type { Clock, Log, TokenTable, Understander, Writer } from '../core/ports.ts';
import { languagesOf, rulesOf } from '../core/understanding/language.ts';
import { slotIn } from '../core/understanding/slots.ts';
import { estimateTokens } from '../mcp/tokens.ts';
import { createCachedWriter } from '../providers/language/cached-writer.ts';
import { type Chat, createChat } from '../providers/language/chat.ts';
import type { Terms } from '../providers/language/grounds.ts';
import { createLedger } from '../providers/language/meter.ts';
import { createLanguageUnderstander } from '../providers/language/understander.ts';
import { createLanguageWriter } from '../providers/language/writer.ts';
import { openConnection } from './connection.ts';
import { postTo } from './models.ts';

/** What a language model does where one is configured. */
export type Language = { understander: Understander; writer: Writer; close(): Promise<void> };

export type LanguageParts = {
  clock: Clock;
  rules: Understander;
  /** Where its tokens are counted. */
  tokens: TokenTable;
  log: Log;
};

/** The language model that is configured; null where none is. `rules` take over where it fails. */
export function openLanguage(
  config: Config,
  { clock, rules, tokens, log }: LanguageParts,
): Language | null {
  const opened = openChat(config, clock);
  if (opened === null) return null;
  const { llm_input_tokens, llm_budget_ms, llm_add_tokens, llm_daily_tokens } = config;
  const shared = {
    chat: opened.chat,
    clock,
    tokensOf: estimateTokens,
    ledger: createLedger({ clock, daily_tokens: llm_daily_tokens, tokens, log }),
    input_tokens: llm_input_tokens,
    budget_ms: llm_budget_ms,
    add_tokens: llm_add_tokens,
  };
  // Whoever asks for a summary or a profile waits for one answer, not for a whole add.
  const writing = { ...shared, budget_ms: Math.min(llm_budget_ms, config.llm_timeout_ms) };
  return {
    understander: createLanguageUnderstander({ ...shared, rules, termsFor, slotOf }),
    writer: createCachedWriter(createLanguageWriter(writing)),
    close: opened.close,
  };
}

/** The model itself; null where none is configured. */
function openChat(config: Config, clock: Clock): { chat: Chat; close(): Promise<void> } | null {
  const { llm_url: url, llm_model: model, llm_api_key: api_key, llm_timeout_ms } = config;
  if (url === null) return null;
  const connection = openConnection({ url, timeout_ms: llm_timeout_ms });
  const server = { what: 'llm', url, api_key, timeout_ms: llm_timeout_ms, connection } as const;
  const post = postTo({ ...server, answer_max_bytes: answerMaxBytes, pause_max_ms: pauseMaxMs });
  const chat = createChat({
    post,
    model,
    clock,
    tokensOf: estimateTokens,
    output_tokens: config.llm_output_tokens,
  });
  return { chat, close: connection.close };
}

/** Several times what the most of llm_output_tokens take. */
const answerMaxBytes = 2 * 1024 * 1024;

/** Limits are mostly for a minute, and nobody waits but the queue. */
const pauseMaxMs = 60_000;

/** How texts are taken apart, in the languages that one of them is in. */
async function termsFor(text: string): Promise<Terms> {
  const reading = await readQuery(text.slice(0, languageMaxChars), []);
  return {
    all: (other) => analyze(other, reading.stems),
    // English comes first among the forms of a word, and the language of the text after it.
    telling: (other) => termsAsked(other, reading).flatMap((forms) => forms.slice(-1)),
  };
}

/** As rules find slots: of English in the third person, of other languages as it was said. */
function slotOf(texts: readonly string[], speaker: string): string | null {
  for (const text of texts) {
    for (const language of languagesOf(text)) {
      const slot = slotIn(text, { rules: rulesOf(language), speaker });
      if (slot !== null && !slot.ended) return slot.name;
    }
  }
  return null;
}

/** Enough to tell a language by. */
const languageMaxChars = 10_000;
