import type { Decision, Occurrence } from '../../core/ports/index.ts';
import type { ModelDecision } from './decisions-answer.ts';
import {
  createEchoDetector,
  findGrounding,
  isRelated,
  isRetracted,
  mayChangeMemory,
  type TermAnalyzer,
} from './evidence.ts';
import { type LabeledMemory, type MessageChunk, truncateMemory } from './extraction-prompt.ts';
import { createRelationPolicy } from './relation-policy.ts';
import { createTranscriptIndex, type TranscriptMessage } from './transcript-index.ts';

/** The input of a model, which its decisions must refer to. */
export type DecisionContext = {
  chunks: readonly MessageChunk[];
  candidates: readonly LabeledMemory[];
  /** The instructions, which memories must not repeat. */
  instructions: string;
  /** Names of categories; null without any. */
  categories: readonly string[] | null;
  terms: TermAnalyzer;
  /** The slot that one of these texts of a speaker fills, according to rules; null for none. */
  findSlot: (texts: readonly string[], speaker: string) => string | null;
  /** Slots of memories that the model has not seen and so could not compare. */
  unseenSlots: ReadonlySet<string>;
  /** Whether decisions include relations. */
  graph: boolean;
};

/** More changes at once point to a mistake or an attack. */
const updatesMax = 10;
const deletesMax = 3;

/**
 * Limits what a model's decisions may do, whatever a conversation talks it into: only statements of
 * the conversation are stored, only related memories that the model has seen are changed, only
 * memories that their own speaker retracts are deleted, and only a few at once. A decision beyond
 * that becomes an addition if it is grounded, otherwise a NOOP with the reason.
 */
export function applyDecisionPolicy(
  items: readonly ModelDecision[],
  context: DecisionContext,
): Decision[] {
  const rules = createDecisionRule(context);
  const decisions: Decision[] = [];
  const changes = new Map<string, number>();
  let deletes = 0;
  for (const item of items) {
    const decision = rules(item, {
      mayChangeMore: (id) => changes.has(id) || changes.size < updatesMax,
      mayDeleteMore: () => deletes < deletesMax,
    });
    if (decision === null) continue;
    const { event, target } = decision;
    if (event === 'DELETE') deletes += 1;
    const earlier = target === null ? undefined : changes.get(target);
    if (target !== null && (event === 'UPDATE' || event === 'DELETE')) {
      // The last statement wins: a memory changes only once.
      if (earlier !== undefined) decisions.splice(earlier, 1, decision);
      else changes.set(target, decisions.push(decision) - 1);
    } else decisions.push(decision);
  }
  return decisions;
}

/** The reason of decisions that the model made up. */
export const ungroundedReason = 'nothing of the kind was said';

type ChangeAllowance = { mayChangeMore(id: string): boolean; mayDeleteMore(): boolean };

function createDecisionRule(
  context: DecisionContext,
): (item: ModelDecision, allowance: ChangeAllowance) => Decision | null {
  const isEcho = createEchoDetector(context.instructions);
  const transcript = createTranscriptIndex(context);
  const relationsOf = createRelationReader(context);
  const candidates = new Map(context.candidates.map((memory) => [memory.label, memory]));

  return (item, allowance) => {
    const text = item.text.trim();
    const source = transcript.findMessage(item);
    if (text === '' || source === null) return null;
    const target = candidates.get(item.memory.trim()) ?? null;
    const base = { ...decisionDetails(item, context), text, message: source.piece.message };
    const nothing = (reason: string, id: string | null = null): Decision => {
      return { ...base, event: 'NOOP', target: id, reason, said: null };
    };
    if (item.event === 'NOOP') return nothing(item.reason || 'already known', target?.id);
    if (isEcho(text) && !createEchoDetector(source.text)(text)) {
      return nothing('the model repeated its instructions');
    }
    const subjectTerms = target === null ? [] : transcript.subjectTerms(target.memory);
    if (item.event === 'DELETE') {
      const problem = deleteProblem({ source, target, subjectTerms, allowance });
      if (target === null || problem !== null) return nothing(`not deleted: ${problem}`);
      return { ...base, event: 'DELETE', target: target.id, reason: item.reason, said: null };
    }
    const quote = transcript.quoteFor(text, source.text);
    const subjects = transcript.subjectTerms(text);
    const all =
      item.event === 'UPDATE' ? new Set([...transcript.terms, ...subjectTerms]) : transcript.terms;
    const confidence = findGrounding(subjects, { message: source.terms, all });
    if (confidence === null) return nothing(ungroundedReason);
    const quoted = { ...base, said: quote, confidence, ...relationsOf(item) };
    const slot = ownSlot(quoted, source.piece, context);
    const holder = context.candidates.find((one) => slot !== null && one.slot === slot) ?? null;
    const isSame = holder !== null && holder === target;
    // A fact that the model does not name stays, even if it has another value.
    const beside = holder === null ? { slot } : { slot: null, may_replace: [holder.id] };
    const add: Decision = { ...quoted, event: 'ADD', target: null, ...beside };
    if (item.event === 'ADD') return add;
    const problem = updateProblem({ source: source.piece, old: target, isSame, allowance }, () =>
      isRelated(subjects, subjectTerms),
    );
    if (problem !== null || target === null) return notUpdated(add, problem);
    const filled = isSame || holder === null ? { slot: target.slot ?? slot } : beside;
    const change = { event: 'UPDATE', target: target.id, supersedes: isSame } as const;
    return { ...quoted, ...change, ...filled, mixes: true };
  };
}

/** The model may be wrong about a change that it may not make: it is stored beside the memory. */
function notUpdated(add: Decision, problem: string | null): Decision {
  return { ...add, reason: `not updated: ${problem}`, confidence: notUpdatedConfidence };
}

/** Less likely right than wrong. */
const notUpdatedConfidence = 0.4;

type ProposedDelete = {
  source: TranscriptMessage;
  target: LabeledMemory | null;
  /** The terms of the target. */
  subjectTerms: readonly string[];
  allowance: ChangeAllowance;
};

/** Why a memory may not be deleted; null if it may. */
function deleteProblem({ source, target, subjectTerms, allowance }: ProposedDelete): string | null {
  const problem = target === null ? 'names no stored memory' : targetProblem(source.piece, target);
  if (problem !== null) return problem;
  if (!isRetracted(subjectTerms, source)) return 'no message retracts it';
  return allowance.mayDeleteMore() ? null : `more than ${deletesMax} at once`;
}

type ProposedUpdate = {
  source: MessageChunk;
  old: LabeledMemory | null;
  isSame: boolean;
  allowance: ChangeAllowance;
};

/** Why a memory may not be changed; null if it may. */
function updateProblem(
  { source, old, isSame, allowance }: ProposedUpdate,
  isRelated: () => boolean,
) {
  if (old === null) return 'names no stored memory';
  const problem = targetProblem(source, old);
  if (problem !== null) return problem;
  if (!isSame && !isRelated()) return 'it is about something else';
  return allowance.mayChangeMore(old.id) ? null : 'too many changes';
}

/** Rules find slots, not the model. Speakers fill only their own. */
function ownSlot(
  { text, said }: Pick<Decision, 'text' | 'said'>,
  { role, name }: MessageChunk,
  context: DecisionContext,
): string | null {
  if (role !== 'user' && name === undefined) return null;
  const speaker = name ?? 'User';
  const slot = context.findSlot(said === null ? [text] : [text, said], speaker);
  const isOwn = slot?.startsWith(`${speaker.toLowerCase()}:`);
  return slot === null || !isOwn || context.unseenSlots.has(slot) ? null : slot;
}

function targetProblem(source: MessageChunk, target: LabeledMemory): string | null {
  if (target.immutable) return 'the memory is immutable';
  if (truncateMemory(target.memory) !== target.memory)
    return 'the memory is too long to be rewritten';
  return mayChangeMemory(source, target) ? null : 'someone else said it';
}

function decisionDetails(item: ModelDecision, context: DecisionContext) {
  const { type, when, categories, reason } = item;
  const { categories: projectCategories } = context;
  const chosen = categories.filter((name) => projectCategories?.includes(name));
  return {
    type,
    reason: reason || null,
    slot: null,
    occurred: parseOccurrence(when),
    ...(chosen.length > 0 && { categories: [...new Set(chosen)].slice(0, categoriesMax) }),
  };
}

const categoriesMax = 5;

/** Empty if rules find them. */
function createRelationReader({
  graph,
  chunks,
}: DecisionContext): (item: ModelDecision) => Pick<Decision, 'relations'> {
  if (!graph) return () => ({});
  const bounded = createRelationPolicy({
    messages: chunks.map(({ text }) => text),
    speakers: chunks.flatMap(({ name }) => name ?? []),
  });
  return (item) => {
    const relations = bounded(item);
    return relations.length === 0 ? {} : { relations };
  };
}

const granularityByFormat = {
  'YYYY-MM-DDTHH:MM': ['minute', ':00.000Z'],
  'YYYY-MM-DD': ['day', 'T00:00:00.000Z'],
  'YYYY-MM': ['month', '-01T00:00:00.000Z'],
  YYYY: ['year', '-01-01T00:00:00.000Z'],
} as const;

function parseOccurrence(when: string): Occurrence | null {
  const entry = Object.entries(granularityByFormat).find(([form]) => form.length === when.length);
  if (entry === undefined) return null;
  const [, [granularity, rest]] = entry;
  const time = Date.parse(when + rest);
  // Some parsers turn February 31 into March 3.
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(when);
  return isReal ? { at: when + rest, granularity } : null;
}
