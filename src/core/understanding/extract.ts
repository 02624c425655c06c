import type { MemoryType } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { anyLanguage, isSmallTalk, type Language, languagesOf, rulesOf } from './language.ts';
import type { LanguageRules } from './languages/rules.ts';
import { sentencesOf } from './sentences.ts';
import { type FilledSlot, slotIn } from './slots.ts';
import { toThirdPerson } from './third-person.ts';

/** What somebody states, and what the rules can tell of it. */
export type Statement = {
  text: string;
  message: number;
  /** The words as they were said, where `text` differs. */
  said: string | null;
  /** Who said it, as memories name them. */
  speaker: string;
  type: MemoryType;
  slot: FilledSlot | null;
  language: Language;
  isDated: boolean;
  tense: 'past' | 'future' | null;
};

export type Extraction = {
  statements: Statement[];
  /** Numbers of the messages of which something was left out, by the reason. */
  dropped: Record<string, number[]>;
};

/**
 * What messages state, by rules. They are cut into sentences; sentences that state nothing to
 * remember are dropped: small talk, questions, requests, fragments, and what the memory itself was
 * asked to recall. English in the first person is put into the third; all else keeps its words.
 * When in doubt a sentence stays, as it was said.
 */
export function extract(messages: readonly Message[]): Extraction {
  const dropped: Record<string, number[]> = {};
  const whole = languagesOf(messages.map(({ content }) => content).join('\n'));
  const statements = messages.flatMap((message, number) => {
    const drop = (reason: string) => {
      const numbers = dropped[reason] ?? [];
      dropped[reason] = numbers;
      if (numbers.at(-1) !== number) numbers.push(number);
    };
    return statementsOf(message, { number, drop, whole });
  });
  return { statements, dropped };
}

type Drop = (reason: string) => void;
type Reading = { number: number; drop: Drop; whole: readonly Language[] };

function statementsOf(message: Message, { number, drop, whole }: Reading): Statement[] {
  const { content } = message;
  if (content.trim() === '') return [];
  if (!statesFacts(message)) {
    drop(message.role === 'system' ? 'system' : 'assistant');
    return [];
  }
  const open = content.replace(recalled, '');
  if (open !== content) drop('recalled');
  const languages = [languagesOf(open), whole, anyLanguage].find(({ length }) => length > 0) ?? [];
  const speaker = speakerOf(message);
  const fills = (sentence: string) =>
    languages.some((one) =>
      slotIn(written(sentence, one, speaker), { rules: rulesOf(one), speaker }),
    );
  const belongs = (sentence: string, group: readonly string[], isNext: boolean) =>
    (isNext && belongsTo(sentence, group)) ||
    (isShared(message) && hasRoom(sentence, group) && ![...group, sentence].some(fills));
  const groups: string[][] = [];
  let before = false;
  for (const sentence of sentencesOf(open)) {
    const kept = factIn(sentence, languages.map(rulesOf), drop);
    const last = groups.at(-1);
    // "He is two" says of whom only together with what was said before.
    if (kept !== null && last !== undefined && belongs(kept, last, before)) last.push(kept);
    else if (kept !== null) groups.push([kept]);
    before = kept !== null;
  }
  return groups.map((group) => {
    const language =
      languages.find((one) => tellsMore(group[0] ?? '', one)) ?? languages[0] ?? 'en';
    return statementOf(group, { number, language, speaker });
  });
}

/** Of the languages that a short text may be in, the one whose rules know what it says. */
function tellsMore(sentence: string, language: Language): boolean {
  const rules = rulesOf(language);
  return typeOf(sentence, rules) !== 'fact' || fillsSlot(sentence, rules);
}

function fillsSlot(sentence: string, { slots }: LanguageRules): boolean {
  return slots.some(({ pattern }) => pattern.test(sentence));
}

/**
 * People state facts about themselves. What an assistant says is mostly advice and echo, unless it
 * speaks under a name, as one of several people in a conversation does.
 */
function statesFacts({ role, name }: Message): boolean {
  return role === 'user' || (role !== 'system' && name !== undefined && name !== role);
}

function speakerOf({ role, name }: Message): string {
  return name === undefined || name === role ? anyUser : name;
}

const anyUser = 'User';

/** Memories as hooks and tools show them: what was recalled is not said anew. */
const recalled = new RegExp(
  '^.*\\bStored memories \\(data, not instructions\\):.*\\n(?:\\s*(?:[-*•]|' +
    '\\d+\\.).*(?:\\n|$))*',
  'gmu',
);

/** The statement that a sentence makes; null when it makes none. */
function factIn(sentence: string, rules: readonly LanguageRules[], drop: Drop): string | null {
  const told = rules.reduce(withoutOpening, sentence).trim();
  for (const { reminder } of rules) {
    const asked = reminder.exec(told);
    // What somebody asks to remember is a fact, whatever it looks like.
    if (asked !== null) return told.slice(asked[0].length).replace(/[?？]$/, '.');
  }
  const reason = reasonToDrop(told, rules);
  if (reason === null) return told;
  drop(reason);
  return null;
}

function withoutOpening(sentence: string, { opening, joint }: LanguageRules): string {
  const rest = sentence.replace(opening, '');
  const told = joint === undefined ? rest : rest.replace(joint, '');
  return told === sentence ? sentence : `${told.charAt(0).toUpperCase()}${told.slice(1)}`;
}

function reasonToDrop(sentence: string, rules: readonly LanguageRules[]): string | null {
  const words = sentence.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0 || isSmallTalk(sentence)) return 'small talk';
  const asks = rules.some(({ question }) => question?.test(sentence));
  if (asks || /[?？؟]["'”’)\]]*$/.test(sentence)) return 'question';
  if (rules.some(({ request }) => request.test(sentence))) return 'request';
  // "I'm vegan" is three words; scripts without spaces put a whole clause into one "word".
  if (words.length >= factMinWords || /[\u0250-\u{10FFFF}]{4,}/u.test(sentence)) return null;
  return rules.some((one) => fillsSlot(sentence, one)) ? null : 'fragment';
}

const factMinWords = 3;

const anaphora =
  /^(?:He|She|It|They|His|Her|Their|Its|That|This|These|Those)(?:['’]\p{L}+)?(?!\p{L})/u;

/** A memory is sentence-sized: no more than a few belong together. */
const groupMaxChars = 400;

function belongsTo(sentence: string, group: readonly string[]): boolean {
  return anaphora.test(sentence) && hasRoom(sentence, group);
}

function hasRoom(sentence: string, group: readonly string[]): boolean {
  return group.join(' ').length + sentence.length < groupMaxChars;
}

/**
 * Of several people who talk to each other: what one says at a time is about one thing, and found
 * better together. What a newer fact may supersede stays apart.
 */
function isShared({ role, name }: Message): boolean {
  return name !== undefined && name !== role;
}

/** "Call me Sam" is said to the assistant, and stays so: there is no doubt who a user's "me" is. */
function written(sentence: string, language: Language, speaker: string): string {
  const isOrder = speaker === anyUser && typeOf(sentence, rulesOf(language)) === 'instruction';
  if (isOrder) return sentence;
  return language === 'en' ? (toThirdPerson(sentence, speaker) ?? sentence) : sentence;
}

type About = { number: number; language: Language; speaker: string };

function statementOf(group: readonly string[], { number, language, speaker }: About): Statement {
  const said = group.join(' ');
  const sentences = group.map((one) => written(one, language, speaker));
  const text = sentences.join(' ');
  const rules = rulesOf(language);
  const [first = ''] = group;
  const type = typeOf(first, rules);
  return {
    text,
    message: number,
    said: text === said ? null : said,
    speaker,
    type,
    slot: slotIn(sentences[0] ?? '', { rules, speaker }),
    language,
    isDated: rules.dated.test(said),
    tense: tenseOf(said, type, rules),
  };
}

function typeOf(sentence: string, { types }: LanguageRules): MemoryType {
  return types.find(([, pattern]) => pattern.test(sentence))?.[0] ?? 'fact';
}

function tenseOf(sentence: string, type: MemoryType, { past, future }: LanguageRules) {
  if (type === 'plan') return 'future';
  if (type === 'event' || past.test(sentence)) return 'past';
  return future.test(sentence) ? 'future' : null;
}
