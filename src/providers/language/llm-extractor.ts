import { randomBytes } from 'node:crypto';
import { ApiError } from '../../contract/errors.ts';
import type {
  Conversation,
  Decision,
  ExtractionResult,
  Extractor,
  Instant,
  RelatedMemory,
  Validity,
} from '../../core/ports/index.ts';
import type { ChatMessage } from './chat-completions.ts';
import { applyDecisionPolicy, ungroundedReason } from './decision-policy.ts';
import { decisionsSchema, parseDecisions } from './decisions-answer.ts';
import type { TermAnalyzer } from './evidence.ts';
import {
  extractionPrompt,
  type MessageChunk,
  repairPrompt,
  systemPrompt,
} from './extraction-prompt.ts';
import { createKnownMemories, type KnownMemories, knownMemoriesTokens } from './known-memories.ts';
import type { LlmContext } from './llm-context.ts';
import { batchChunks, listUnread, splitBatch, toMessageChunks } from './message-batches.ts';
import { createUsageMeter, type UsageMeter } from './token-budget.ts';

export type LlmExtractorOptions = LlmContext & {
  /** Takes over if the model fails or returns nothing usable. */
  fallback: Extractor;
  /** Creates an analyzer for the languages of a text. */
  createTermAnalyzer: (text: string) => Promise<TermAnalyzer>;
  /** The slot that one of these texts of a speaker fills; null for none. */
  findSlot: (texts: readonly string[], speaker: string) => string | null;
  /** Since when and until when a sentence says that something is true. */
  readValidity: (said: string, said_at: Instant) => Promise<Validity | undefined>;
};

/** Extracts with a language model, and with rules if that fails. */
export function createLlmExtractor(options: LlmExtractorOptions): Extractor {
  const { chat, fallback, clock, ledger, add_tokens, budget_ms } = options;
  return {
    extract: async (conversation, signal) => {
      const meter = createUsageMeter({ clock, ledger, tokens_max: add_tokens });
      const late = AbortSignal.timeout(budget_ms);
      const terms = await options.createTermAnalyzer(conversationText(conversation));
      const ended = AbortSignal.any([signal, late]);
      const work = { ...options, conversation, meter, terms, signal: ended };
      const parts: BatchResult[] = [];
      const memories = createKnownMemories(conversation.known, work);
      for (const batch of conversationBatches(options, conversation)) {
        parts.push(...(await extractBatch(work, batch, memories)));
        signal.throwIfAborted();
      }
      const fallbackResult = await extractWithFallback(fallback, { conversation, parts, signal });
      const isOthers = parts.length > 0 && parts.every(({ problem }) => problem !== null);
      const own = parts.flatMap((part) => part.decisions);
      const dated = await Promise.all(own.map((one) => withValidity(options, conversation, one)));
      const decisions = [...dated, ...fallbackResult.decisions];
      return {
        decisions: decisions.sort((one, other) => one.message - other.message),
        by: isOthers ? fallbackResult.by : chat.model,
        notice: buildNotice(parts, fallbackResult),
        cost: meter.cost(),
        dropped: { ...fallbackResult.dropped, ...listUnread(conversation.messages) },
      };
    },
  };
}

/** Rules read validity from what was said: a model states dates that nobody did. */
async function withValidity(
  { readValidity }: LlmExtractorOptions,
  { said_at, local_time = said_at }: Conversation,
  decision: Decision,
): Promise<Decision> {
  const { event, said, text } = decision;
  if (event !== 'ADD' && event !== 'UPDATE') return decision;
  const validity = await readValidity(said ?? text, local_time);
  if (validity === undefined) return decision;
  const isOver = validity.valid_until !== null && validity.valid_until <= said_at;
  return { ...decision, validity, ...(isOver && { slot: null }) };
}

/** The result for some messages; `problem` says why the model could not process them. */
type BatchResult = {
  batch: MessageChunk[];
  decisions: Decision[];
  problem: string | null;
  /** A note for the event, although the model succeeded. */
  warning: string | null;
};

function failedBatch(batch: MessageChunk[], problem: string): BatchResult {
  return { batch, decisions: [], problem, warning: null };
}

type ExtractionRun = LlmExtractorOptions & {
  conversation: Conversation;
  meter: UsageMeter;
  terms: TermAnalyzer;
  signal: AbortSignal;
};

function conversationText({ messages }: Conversation): string {
  return messages.map(({ content }) => content).join('\n');
}

function conversationBatches(
  options: LlmExtractorOptions,
  conversation: Conversation,
): MessageChunk[][] {
  const { tokensOf, input_tokens } = options;
  const instructions = tokensOf(systemPrompt(conversation, newMarker()));
  const tokens_max = Math.max(
    input_tokens - instructions - knownMemoriesTokens(options),
    batchMinTokens,
  );
  return batchChunks(toMessageChunks(conversation.messages), { tokens_max, tokensOf });
}

/** Kept free for messages, however long instructions and memories are. */
const batchMinTokens = 500;

/** Random, so that no message can hold it. */
function newMarker(): string {
  return randomBytes(8).toString('hex');
}

/** Extracts from a batch, in halves if it is too long for the model. */
async function extractBatch(
  work: ExtractionRun,
  batch: MessageChunk[],
  memories: KnownMemories,
): Promise<BatchResult[]> {
  try {
    const decided = await decideBatch(work, batch, memories);
    if (decided !== 'too_long') {
      memories.record(decided.decisions);
      return [{ batch, ...decided, problem: null }];
    }
  } catch (error) {
    return [failedBatch(batch, failureReason(error, work))];
  }
  const halves = splitBatch(batch);
  if (halves === null) return [failedBatch(batch, 'its answer was cut off')];
  const [first, second] = halves;
  const results = await extractBatch(work, first, memories);
  return [...results, ...(await extractBatch(work, second, memories))];
}

/** Why the model did not respond. */
function failureReason(error: unknown, { signal, budget_ms }: ExtractionRun): string {
  if (error instanceof UnusableAnswer) return error.message;
  if (signal.aborted) return `it took longer than the ${budget_ms} ms that an add may take`;
  if (!(error instanceof ApiError)) throw error;
  return error.message;
}

class UnusableAnswer extends Error {}

type BatchDecisions = { decisions: Decision[]; warning: string | null };

/** Requests decisions for a batch, and once more if the response is unusable. */
async function decideBatch(
  work: ExtractionRun,
  batch: MessageChunk[],
  memories: KnownMemories,
): Promise<BatchDecisions | 'too_long'> {
  const { chat, conversation, meter, signal, terms } = work;
  const candidates = memories.candidatesFor(batch);
  const about = { conversation, chunks: batch, candidates, additions: memories.additions() };
  const prompt = extractionPrompt({ ...about, marker: newMarker() });
  const format = decisionsSchema(conversation);
  const context = {
    chunks: batch,
    candidates,
    instructions: prompt[0].content,
    categories: Object.keys(conversation.settings.categories ?? {}),
    terms,
    findSlot: work.findSlot,
    unseenSlots: slotsNotShown(conversation.known, candidates),
    graph: conversation.graph,
  };
  let messages: readonly ChatMessage[] = prompt;
  for (let tries = 1; ; tries += 1) {
    const answered = await chat.complete({ messages, format }, { meter, signal });
    if (answered.kind === 'too_long') return 'too_long';
    if (answered.kind === 'refused') throw new UnusableAnswer('it refused to answer');
    const text = answered.kind === 'text' ? answered.text : '';
    const { decisions: items, problems } = parseDecisions(text);
    const decisions = applyDecisionPolicy(items, context);
    const madeUp = isAllUngrounded(decisions);
    if (problems.length === 0 && !madeUp) return { decisions, warning: null };
    if (tries === attemptsMax) {
      if (decisions.length === 0 || madeUp) {
        throw new UnusableAnswer(`its answer can't be used: ${problems[0] ?? ungroundedReason}`);
      }
      // A partly readable second response is better than none.
      return { decisions, warning: `a part of its answer can't be used: ${problems[0]}` };
    }
    const wrong = madeUp
      ? [`${ungroundedReason}; keep the words and the language of the messages`]
      : [];
    messages = [...prompt, ...repairPrompt(text, [...problems, ...wrong])];
  }
}

function slotsNotShown(
  memories: readonly RelatedMemory[],
  candidates: readonly RelatedMemory[],
): Set<string> {
  const candidateIds = new Set(candidates.map(({ id }) => id));
  const others = memories.filter(({ id }) => !candidateIds.has(id));
  return new Set(others.flatMap(({ slot }) => slot ?? []));
}

const attemptsMax = 2;

/** True when a model made decisions, all of them made up. */
function isAllUngrounded(decisions: readonly Decision[]): boolean {
  return decisions.length > 0 && decisions.every(({ reason }) => reason === ungroundedReason);
}

type FallbackInput = {
  conversation: Conversation;
  parts: readonly BatchResult[];
  signal: AbortSignal;
};

const emptyExtraction: ExtractionResult = { decisions: [], by: 'rules', notice: null, cost: null };

/** Extracts by rules from the messages that the model could not process. */
async function extractWithFallback(
  rules: Extractor,
  reading: FallbackInput,
): Promise<ExtractionResult> {
  const { conversation, parts, signal } = reading;
  const pieces = parts.flatMap(({ problem, batch }) => (problem === null ? [] : batch));
  if (pieces.length === 0) return emptyExtraction;
  const messages = conversation.messages.map((message, number) => {
    const messagePieces = pieces.filter((piece) => piece.message === number);
    return { ...message, content: messagePieces.map(({ text }) => text).join('\n') };
  });
  return rules.extract({ ...conversation, messages }, signal);
}

/** Opens the notice of an extraction in which the model read nothing; the reasons follow. */
export const allByRulesNotice = 'rules read the messages instead of the language model: ';
const partByRulesNotice = 'rules read a part of the messages instead of the language model: ';

function buildNotice(
  parts: readonly BatchResult[],
  fallbackResult: ExtractionResult,
): string | null {
  const unread = parts.filter(({ problem }) => problem !== null);
  const reasons = new Set(unread.map(({ problem }) => problem));
  const opening = unread.length === parts.length ? allByRulesNotice : partByRulesNotice;
  const notices = [
    ...(reasons.size === 0 ? [] : [opening + [...reasons].join('; ')]),
    ...parts.map(({ warning }) => warning),
    fallbackResult.notice,
  ].filter((one) => one !== null);
  return notices.length === 0 ? null : notices.join('. ');
}
