import type { Decision, Occurrence } from '../../core/ports/index.ts';
import type { Item } from './answer.ts';
import {
  createEchoTest,
  isGrounded,
  isRelated,
  isRetracted,
  mayChange,
  type Terms,
} from './grounds.ts';
import { type Named, type Piece, shortened } from './prompt.ts';
import { createRelationBound } from './relations.ts';
import { createSaid } from './said.ts';

/** What a model was given, and so what its decisions may be about. */
export type Given = {
  pieces: readonly Piece[];
  named: readonly Named[];
  /** The instructions, which no memory may repeat. */
  instructions: string;
  /** Names of categories; null where none were asked for. */
  categories: readonly string[] | null;
  terms: Terms;
  /** The slot that one of these texts of a speaker fills, as rules read it; null for none. */
  slotOf: (texts: readonly string[], speaker: string) => string | null;
  /** Slots of memories that the model was not given: nobody has compared them with anything. */
  otherSlots: ReadonlySet<string>;
  /** Whether decisions are to tell relations. */
  graph: boolean;
};

/** Whoever changes more at once is told to, by mistake or on purpose. */
const changesMax = 10;
const deletesMax = 3;

/**
 * What a model's decisions may do at most, whatever a conversation talks it into: nothing that was
 * not said is stored, nothing is changed but given memories that may be and that tell of the same,
 * nothing is deleted that its own people do not take back, and little at once. What is more than
 * that stays an addition where it was said, and else does nothing, with the reason.
 */
export function bound(items: readonly Item[], given: Given): Decision[] {
  const rules = createRules(given);
  const decisions: Decision[] = [];
  const changes = new Map<string, number>();
  let deletes = 0;
  for (const item of items) {
    const decision = rules(item, {
      mayChangeMore: (id) => changes.has(id) || changes.size < changesMax,
      mayDeleteMore: () => deletes < deletesMax,
    });
    if (decision === null) continue;
    const { event, target } = decision;
    if (event === 'DELETE') deletes += 1;
    const earlier = target === null ? undefined : changes.get(target);
    if (target !== null && (event === 'UPDATE' || event === 'DELETE')) {
      // What was said last holds: a memory changes once.
      if (earlier !== undefined) decisions.splice(earlier, 1, decision);
      else changes.set(target, decisions.push(decision) - 1);
    } else decisions.push(decision);
  }
  return decisions;
}

/** The reason of what was made up. */
export const notSaid = 'nothing of the kind was said';

type Left = { mayChangeMore(id: string): boolean; mayDeleteMore(): boolean };

function createRules(given: Given): (item: Item, left: Left) => Decision | null {
  const isEcho = createEchoTest(given.instructions);
  const said = createSaid(given);
  const relationsOf = createRelations(given);
  const named = new Map(given.named.map((memory) => [memory.short, memory]));

  return (item, left) => {
    const text = item.text.trim();
    const source = said.sourceOf(item);
    if (text === '' || source === null) return null;
    const target = named.get(item.memory.trim()) ?? null;
    const base = { ...detailsOf(item, given), text, message: source.piece.message };
    const nothing = (reason: string, id: string | null = null): Decision => {
      return { ...base, event: 'NOOP', target: id, reason, said: null };
    };
    if (item.event === 'NOOP') return nothing(item.reason || 'known already', target?.id);
    if (isEcho(text) && !createEchoTest(source.text)(text)) {
      return nothing('the model repeated its instructions');
    }
    const subjects = said.subjectsOf(text);
    const known = target === null ? [] : said.subjectsOf(target.memory);
    if (item.event === 'DELETE') {
      const problem = target === null ? 'names no stored memory' : problemOf(source.piece, target);
      if (target === null || problem !== null) return nothing(`not deleted: ${problem}`);
      if (!isRetracted(known, source)) return nothing('not deleted: nobody takes it back');
      if (!left.mayDeleteMore()) return nothing(`not deleted: more than ${deletesMax} at once`);
      return { ...base, event: 'DELETE', target: target.id, reason: item.reason, said: null };
    }
    const quoted = { ...base, said: said.wordsFor(text, source.text), ...relationsOf(item) };
    const all = item.event === 'UPDATE' ? new Set([...said.all, ...known]) : said.all;
    if (!isGrounded(subjects, { message: source.terms, all })) {
      return nothing(notSaid);
    }
    const slot = slotOf(quoted, source.piece, given);
    const filler = slot === null ? null : (given.named.find((one) => one.slot === slot) ?? null);
    const add: Decision = { ...quoted, event: 'ADD', target: null, reason: item.reason || null };
    if (item.event === 'ADD' && filler === null) return { ...add, slot };
    // What fills the same slot tells of the same, whatever the model calls it.
    const old = filler ?? target;
    const refused = refusalOf({ source: source.piece, old, isSame: filler !== null, left }, () =>
      isRelated(subjects, old === null ? [] : said.subjectsOf(old.memory)),
    );
    if (refused !== null || old === null) return { ...add, reason: `not updated: ${refused}` };
    const reason = item.reason || null;
    return { ...quoted, event: 'UPDATE', target: old.id, reason, slot: old.slot ?? slot };
  };
}

type Change = { source: Piece; old: Named | null; isSame: boolean; left: Left };

/** Why a memory may not be changed; null where it may. */
function refusalOf({ source, old, isSame, left }: Change, isRelated: () => boolean) {
  if (old === null) return 'names no stored memory';
  const problem = problemOf(source, old);
  if (problem !== null) return problem;
  if (!isSame && !isRelated()) return 'it tells of something else';
  return left.mayChangeMore(old.id) ? null : 'too many changes';
}

/** A model is not asked for slots. People fill their own only. */
function slotOf(
  { text, said }: Pick<Decision, 'text' | 'said'>,
  { role, name }: Piece,
  given: Given,
): string | null {
  if (role !== 'user' && name === undefined) return null;
  const speaker = name ?? 'User';
  const slot = given.slotOf(said === null ? [text] : [text, said], speaker);
  const isOwn = slot?.startsWith(`${speaker.toLowerCase()}:`);
  return slot === null || !isOwn || given.otherSlots.has(slot) ? null : slot;
}

function problemOf(source: Piece, target: Named): string | null {
  if (target.immutable) return 'the memory is immutable';
  if (shortened(target.memory) !== target.memory) return 'the memory is too long to be rewritten';
  return mayChange(source, target) ? null : 'somebody else said it';
}

function detailsOf({ type, when, categories }: Item, given: Given) {
  const { categories: known } = given;
  const chosen = categories.filter((name) => known?.includes(name));
  return {
    type,
    slot: null,
    occurred: occurrenceOf(when),
    ...(chosen.length > 0 && { categories: [...new Set(chosen)].slice(0, categoriesMax) }),
  };
}

const categoriesMax = 5;

/** None where rules are to find them. */
function createRelations({ graph, pieces }: Given): (item: Item) => Pick<Decision, 'relations'> {
  if (!graph) return () => ({});
  const bounded = createRelationBound({
    said: pieces.map(({ text }) => text),
    speakers: pieces.flatMap(({ name }) => name ?? []),
  });
  return (item) => {
    const relations = bounded(item);
    return relations.length === 0 ? {} : { relations };
  };
}

const granularities = {
  'YYYY-MM-DDTHH:MM': ['minute', ':00.000Z'],
  'YYYY-MM-DD': ['day', 'T00:00:00.000Z'],
  'YYYY-MM': ['month', '-01T00:00:00.000Z'],
  YYYY: ['year', '-01-01T00:00:00.000Z'],
} as const;

function occurrenceOf(when: string): Occurrence | null {
  const found = Object.entries(granularities).find(([form]) => form.length === when.length);
  if (found === undefined) return null;
  const [, [granularity, rest]] = found;
  const time = Date.parse(when + rest);
  // The 31st of February is the 3rd of March to some.
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(when);
  return isReal ? { at: when + rest, granularity } : null;
}
