import { randomBytes } from 'node:crypto';
import { ApiError } from '../../contract/errors.ts';
import type {
  Conversation,
  Decision,
  ExtractionResult,
  Extractor,
  RelatedMemory,
} from '../../core/ports/index.ts';
import { answerSchema, readAnswer } from './answer.ts';
import { halved, inBatches, piecesOf } from './batches.ts';
import { bound, notSaid } from './bounds.ts';
import type { ChatMessage } from './chat.ts';
import type { Terms } from './grounds.ts';
import { createKnown, type Known, knownTokens } from './known.ts';
import { createMeter, type Meter } from './meter.ts';
import { type Piece, promptOf, repairPrompt, systemPrompt } from './prompt.ts';
import type { ModelWork } from './work.ts';

export type LanguageUnderstanderOptions = ModelWork & {
  /** What takes over where the model does not answer, or nothing usable. */
  rules: Extractor;
  /** How to take texts of the language of this one apart. */
  termsFor: (text: string) => Promise<Terms>;
  /** The slot that one of these texts of a speaker fills; null for none. */
  slotOf: (texts: readonly string[], speaker: string) => string | null;
};

/** Understands conversations with a language model, and with rules where that fails. */
export function createLanguageUnderstander(options: LanguageUnderstanderOptions): Extractor {
  const { chat, rules, clock, ledger, add_tokens, budget_ms } = options;
  return {
    extract: async (conversation, signal) => {
      const meter = createMeter({ clock, ledger, tokens_max: add_tokens });
      const late = AbortSignal.timeout(budget_ms);
      const terms = await options.termsFor(textOf(conversation));
      const ended = AbortSignal.any([signal, late]);
      const work = { ...options, conversation, meter, terms, signal: ended };
      const parts: Part[] = [];
      const known = createKnown(conversation.known, work);
      for (const batch of batchesOf(options, conversation)) {
        parts.push(...(await readBatch(work, batch, known)));
        signal.throwIfAborted();
      }
      const others = await byRules(rules, { conversation, parts, signal });
      const isOthers = parts.length > 0 && parts.every(({ problem }) => problem !== null);
      const decisions = [...parts.flatMap((part) => part.decisions), ...others.decisions];
      return {
        decisions: decisions.sort((one, other) => one.message - other.message),
        by: isOthers ? others.by : chat.model,
        notice: noticeOf(parts, others),
        cost: meter.cost(),
        ...(others.dropped && { dropped: others.dropped }),
      };
    },
  };
}

/** What became of some messages; `problem` says why the model has not read them. */
type Part = {
  batch: Piece[];
  decisions: Decision[];
  problem: string | null;
  /** Worth telling, though the model has read them. */
  remark: string | null;
};

function failed(batch: Piece[], problem: string): Part {
  return { batch, decisions: [], problem, remark: null };
}

type Work = LanguageUnderstanderOptions & {
  conversation: Conversation;
  meter: Meter;
  terms: Terms;
  signal: AbortSignal;
};

function textOf({ messages }: Conversation): string {
  return messages.map(({ content }) => content).join('\n');
}

function batchesOf(options: LanguageUnderstanderOptions, conversation: Conversation): Piece[][] {
  const { tokensOf, input_tokens } = options;
  const instructions = tokensOf(systemPrompt(conversation, newMarker()));
  const tokens_max = Math.max(input_tokens - instructions - knownTokens(options), batchMinTokens);
  return inBatches(piecesOf(conversation.messages), { tokens_max, tokensOf });
}

/** However much the instructions and known memories take. */
const batchMinTokens = 500;

/** Random, so that no message can hold it. */
function newMarker(): string {
  return randomBytes(8).toString('hex');
}

/** Reads a batch; in halves where it has no room in the model. */
async function readBatch(work: Work, batch: Piece[], known: Known): Promise<Part[]> {
  try {
    const decided = await decide(work, batch, known);
    if (decided !== 'too_long') {
      known.note(decided.decisions);
      return [{ batch, ...decided, problem: null }];
    }
  } catch (error) {
    return [failed(batch, reasonOf(error, work))];
  }
  const halves = halved(batch);
  if (halves === null) return [failed(batch, 'its answer was cut off')];
  const [first, second] = halves;
  const read = await readBatch(work, first, known);
  return [...read, ...(await readBatch(work, second, known))];
}

/** Why there is no answer. */
function reasonOf(error: unknown, { signal, budget_ms }: Work): string {
  if (error instanceof Unusable) return error.message;
  if (signal.aborted) return `it took longer than llm_budget_ms, ${budget_ms} ms`;
  if (!(error instanceof ApiError)) throw error;
  return error.message;
}

class Unusable extends Error {}

type Decided = { decisions: Decision[]; remark: string | null };

/** Asks about a batch, and once more where the answer can't be used. */
async function decide(work: Work, batch: Piece[], known: Known): Promise<Decided | 'too_long'> {
  const { chat, conversation, meter, signal, terms } = work;
  const named = known.namedFor(batch);
  const about = { conversation, pieces: batch, named, noted: known.noted() };
  const prompt = promptOf({ ...about, marker: newMarker() });
  const answer = answerSchema(conversation);
  const given = {
    pieces: batch,
    named,
    instructions: prompt[0].content,
    categories: Object.keys(conversation.settings.categories ?? {}),
    terms,
    slotOf: work.slotOf,
    otherSlots: otherSlots(conversation.known, named),
    graph: conversation.graph,
  };
  let messages: readonly ChatMessage[] = prompt;
  for (let tries = 1; ; tries += 1) {
    const answered = await chat.ask({ messages, answer }, { meter, signal });
    if (answered.kind === 'too_long') return 'too_long';
    if (answered.kind === 'refused') throw new Unusable('it refused to answer');
    const text = answered.kind === 'told' ? answered.text : '';
    const { items, problems } = readAnswer(text);
    const decisions = bound(items, given);
    const madeUp = isMadeUp(decisions);
    if (problems.length === 0 && !madeUp) return { decisions, remark: null };
    if (tries === triesMax) {
      if (decisions.length === 0 || madeUp) {
        throw new Unusable(`its answer can't be used: ${problems[0] ?? notSaid}`);
      }
      // What could be read of the second answer is worth more than none of it.
      return { decisions, remark: `a part of its answer can't be used: ${problems[0]}` };
    }
    const wrong = madeUp ? [`${notSaid}; keep the words and the language of the messages`] : [];
    messages = [...prompt, ...repairPrompt(text, [...problems, ...wrong])];
  }
}

function otherSlots(known: readonly RelatedMemory[], named: readonly RelatedMemory[]): Set<string> {
  const given = new Set(named.map(({ id }) => id));
  const others = known.filter(({ id }) => !given.has(id));
  return new Set(others.flatMap(({ slot }) => slot ?? []));
}

const triesMax = 2;

/** True when a model decided something, and made up all of it. */
function isMadeUp(decisions: readonly Decision[]): boolean {
  return decisions.length > 0 && decisions.every(({ reason }) => reason === notSaid);
}

type Reading = { conversation: Conversation; parts: readonly Part[]; signal: AbortSignal };

const nothing: ExtractionResult = { decisions: [], by: 'rules', notice: null, cost: null };

/** What rules make of the messages that the model has not read. */
async function byRules(rules: Extractor, reading: Reading): Promise<ExtractionResult> {
  const { conversation, parts, signal } = reading;
  const pieces = parts.flatMap(({ problem, batch }) => (problem === null ? [] : batch));
  if (pieces.length === 0) return nothing;
  const messages = conversation.messages.map((message, number) => {
    const own = pieces.filter((piece) => piece.message === number);
    return { ...message, content: own.map(({ text }) => text).join('\n') };
  });
  return rules.extract({ ...conversation, messages }, signal);
}

function noticeOf(parts: readonly Part[], others: ExtractionResult): string | null {
  const unread = parts.filter(({ problem }) => problem !== null);
  const reasons = new Set(unread.map(({ problem }) => problem));
  const share = unread.length === parts.length ? 'the messages' : 'a part of the messages';
  const told = [
    ...(reasons.size === 0
      ? []
      : [`rules read ${share} in place of the language model: ${[...reasons].join('; ')}`]),
    ...parts.map(({ remark }) => remark),
    others.notice,
  ].filter((one) => one !== null);
  return told.length === 0 ? null : told.join('. ');
}
