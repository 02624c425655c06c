import { limits } from '../../contract/limits.ts';
import { functionWords } from '../language/function-words.ts';
import { analyze } from '../language/terms-of-text.ts';
import { foldWord } from '../language/words.ts';
import { type RuleLanguage, rulesOf } from './languages/all-languages.ts';
import type { LanguageRules } from './languages/rules.ts';
import { saysOneThing } from './single-fact.ts';
import { factsOfMemory } from './split-facts.ts';

/** An attribute of somebody to which a text gives a value, or whose value it ends. */
export type FilledSlot = { name: string; ended: boolean };

type SlotReader = { rules: LanguageRules; speaker: string };

/** The attribute that a sentence is about. */
export function findSlot(sentence: string, reader: SlotReader): FilledSlot | null {
  const match = matchSlot(sentence, reader);
  return match === null ? null : { name: match.name, ended: match.ended };
}

/** The attributes that the facts of a text are about. */
export function listSlots(text: string, reader: SlotReader): FilledSlot[] {
  return factsOfMemory(text).flatMap((fact) => findSlot(fact, reader) ?? []);
}

type SlotText = { text: string; language: RuleLanguage; speaker: string };

/**
 * The attribute to which a text certainly gives a value, or ends it, and says nothing else. A new
 * statement takes the place of another value only if there can be one at a time, or if it says that
 * something changed.
 */
export function certainSlotOf(
  { text, language, speaker }: SlotText,
  as: 'stored' | 'new' = 'new',
): FilledSlot | null {
  const rules = rulesOf(language);
  const match = matchSlot(text, { rules, speaker });
  if (match === null || rules.beside.test(text) || !saysOneThing(text)) return null;
  const { name, ended, kind, cue, rest, isRelative } = match;
  const value = rest.replace(rules.newValue, '').replace(/(?<![\s.!])[\s.!]+$/u, '');
  const isMove = kind === 'lives_in' && !ended && rules.newValue.test(cue);
  if (nameKinds.has(kind) && !(isMove ? startsName(value) : isName(value))) return null;
  if (kind === 'favourite' && !isBare(value)) return null;
  if (whole.has(kind) && /[\p{L}\p{N}]/u.test(value)) return null;
  if (kind === 'works_at' && /^[\s.!]*$/u.test(rest)) return null;
  // "My sister is 28" may be said of another sister than "my sister is 30".
  const isOne = oneAtATime.has(kind) && !isRelative;
  const isPlain = as === 'stored' || ended || isOne || rules.newValue.test(text);
  return isPlain ? { name, ended } : null;
}

/** Slots whose value must be a name, which "lives in a small flat" does not give. */
const nameKinds = new Set(['lives_in', 'works_at', 'drives']);

/**
 * A name and nothing else: "works at Google on Fridays" and "lives in Rome in winter" restrict it.
 * Scripts without capitals have no such sign.
 */
function isName(value: string): boolean {
  const words = value.split(/[\s,]+/u).filter(Boolean);
  return startsName(value) && words.every((word) => nameParticle.test(word) || startsName(word));
}

function startsName(value: string): boolean {
  return !/^\s*\p{Ll}/u.test(value);
}

/** Small words in names: "Frankfurt am Main", "Rio de Janeiro", "Bank of Ireland". */
const nameParticle = /^(?:d\p{L}{1,2}|l[aeo]s?|v[ao]n|am|of|sur|and|und|y)$/u;

/** "Is on tour" and "is by Frank Herbert" say something of what is liked, and not what that is. */
function isBare(value: string): boolean {
  const words = value.split(/\s+/u).filter(Boolean);
  return words.length <= 3 && !words.some((word) => functionWords.has(foldWord(word)));
}

/** In these slots, words after the value change its meaning: "engaged in politics". */
const whole = new Set(['relationship', 'diet']);

/**
 * People have one of these at a time, so that another value shows a change. "I live in France" may
 * be said by who lives in Paris, and "my favourite band is British" names none.
 */
const oneAtATime = new Set(['age', 'relationship', 'diet', 'allergic_to', 'prefers']);

type SlotMatch = FilledSlot & {
  /** The rule's own name for it, such as `favourite`. */
  kind: string;
  /** The words that show it, and what stands after them, with the space before it. */
  cue: string;
  rest: string;
  /** Whether there may be several such persons: "User's sister". */
  isRelative: boolean;
};

function matchSlot(sentence: string, { rules, speaker }: SlotReader): SlotMatch | null {
  const text = sentence.replaceAll('’', "'");
  for (const { slot, pattern } of rules.slots) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { who = speaker, topic, other, ended } = match.groups ?? {};
    const attribute = slotName(slot, { topic, other });
    if (attribute === null) continue;
    const name = `${who.toLowerCase()}:${attribute}`.slice(0, limits.slot_max_chars).toWellFormed();
    // Some patterns end with the first letter of a name.
    const cue = match[0].replace(/(?<=[^\p{L}])\p{Lu}$/u, '').trimEnd();
    const rest = text.slice(match.index + cue.length);
    return {
      name,
      ended: ended !== undefined,
      kind: slot,
      cue,
      rest,
      isRelative: /'s\s/.test(who),
    };
  }
  return null;
}

type SlotTopic = { topic: string | undefined; other: string | undefined };

/** "Coffee over tea" and "tea over coffee" fill the same slot. */
function slotName(slot: string, { topic, other }: SlotTopic): string | null {
  if (topic === undefined) return slot;
  const terms = [topic, other ?? '']
    .map((part) => [...new Set(analyze(part))].join('_'))
    .filter((part) => part !== '');
  if (terms.length === 0) return null;
  const about = terms.sort().join('|');
  return slot === 'attribute' ? about : `${slot}:${about}`;
}
