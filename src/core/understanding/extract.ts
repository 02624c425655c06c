import type { MemoryType } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { fold } from '../language/fold.ts';
import { functionWords } from '../language/function-words.ts';
import { wordsOf } from '../language/words.ts';
import { isDateBetween, withCorrection } from './corrections.ts';
import { isSmallTalk, type Language, languagesAmong, languagesOf, rulesOf } from './language.ts';
import type { LanguageRules } from './languages/rules.ts';
import { isQuoted, withoutCode } from './material.ts';
import { sentencesOf } from './sentences.ts';
import { type FilledSlot, slotIn } from './slots.ts';
import { isSupposed } from './supposed.ts';
import { hasty, toThirdPerson } from './third-person.ts';

/** What somebody states, and what the rules can tell of it. */
export type Statement = {
  text: string;
  message: number;
  /** The words as they were said, where `text` differs. */
  said: string | null;
  /** Of several people: these words with what was said around them, to be found by. */
  around: string | null;
  /** Who said it, as memories name them. */
  speaker: string;
  type: MemoryType;
  slot: FilledSlot | null;
  language: Language;
  isDated: boolean;
  tense: 'past' | 'future' | null;
  /** Somebody asks it of somebody else: it is remembered, and changes nothing that is known. */
  isAsked: boolean;
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
  const statements: Statement[] = [];
  for (const [number, message] of messages.entries()) {
    const drop = (reason: string) => {
      const numbers = dropped[reason] ?? [];
      dropped[reason] = numbers;
      if (numbers.at(-1) !== number) numbers.push(number);
    };
    for (const one of statementsOf(message, { number, drop, whole })) {
      const last = statements.at(-1);
      const isNext = last?.speaker === one.speaker && !isDateBetween(messages, last, one);
      const right = isNext ? withCorrection(last, one) : null;
      if (right !== null) statements[statements.length - 1] = right.statement;
      if (right?.saysMore !== false) statements.push(one);
    }
  }
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
  const likely = languagesAmong(content, whole).map(rulesOf);
  const asksToKeep = (line: string) => likely.some(({ reminder }) => reminder.test(line));
  const spoken = withoutCode(content, asksToKeep);
  if (spoken !== content) drop('code');
  const open = spoken.replace(recalled, '');
  if (open !== spoken) drop('recalled');
  const languages = languagesAmong(open, whole);
  const speaker = speakerOf(message);
  const fills = (sentence: string) =>
    languages.some((one) =>
      slotIn(written(sentence, one, speaker), { rules: rulesOf(one), speaker }),
    );
  const belongs = (sentence: string, group: readonly string[], isNext: boolean) =>
    (isNext && belongsTo(sentence, group)) ||
    (isShared(message) && hasRoom(sentence, group) && ![...group, sentence].some(fills));
  const rules = languages.map(rulesOf);
  const read = withoutMaterial(
    sentencesOf(open).map((sentence) => readSentence(sentence, rules)),
    isShared(message),
  );
  const groups = groupsOf(read, belongs);
  const asked = isShared(message) && groups.length === 0 ? read.filter(tells) : [];
  for (const one of read) if (one.reason !== null && !asked.includes(one)) drop(one.reason);
  const [language = 'en'] = languages;
  if (asked.length > 0) return [questionOf(asked, read, { number, language, speaker })];
  return groups.map(({ told, around }) => {
    const own = languages.find((one) => tellsMore(told[0] ?? '', one)) ?? language;
    const statement = statementOf(told, { number, language: own, speaker });
    return { ...statement, around: isShared(message) ? around.join(' ') : null };
  });
}

/** A sentence, without a greeting before it, and why it states nothing; null where it does. */
type Read = { sentence: string; said: string; reason: string | null; isReminder?: true };

/** What is told together, and the same as it was said, with what was dropped beside it. */
type Group = { told: string[]; around: string[] };

type Belongs = (sentence: string, group: readonly string[], isNext: boolean) => boolean;

function groupsOf(read: readonly Read[], belongs: Belongs): Group[] {
  const groups: Group[] = [];
  let waiting: string[] = [];
  let before = false;
  for (const { sentence, said, reason } of read) {
    const last = groups.at(-1);
    // "He is two" says of whom only together with what was said before.
    if (reason === null && last !== undefined && belongs(sentence, last.told, before)) {
      last.told.push(sentence);
      last.around.push(said);
    } else if (reason === null) {
      groups.push({ told: [sentence], around: [...waiting, said] });
      waiting = [];
    } else if (last === undefined) {
      waiting.push(said);
    } else if (hasRoom(said, last.around)) {
      last.around.push(said);
    }
    before = reason === null;
  }
  return groups;
}

/** What people ask each other may tell something: "Did Oscar like the frisbee?" */
function tells({ sentence, reason }: Read): boolean {
  if (reason !== 'question' && reason !== 'request') return false;
  const telling = wordsOf(sentence).filter(
    (word) => word.length >= tellingMinChars && !functionWords.has(fold(word)),
  );
  return telling.length >= askedMinTerms || spacelessClause.test(sentence);
}

/** "How are your pets?" has one. */
const askedMinTerms = 2;
const tellingMinChars = 4;

/** As much as two words, in scripts that are written without spaces. */
const spacelessClause = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{8}/u;

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

function readSentence(said: string, rules: readonly LanguageRules[]): Read {
  const told = rules.reduce(withoutOpening, said).trim();
  for (const { reminder } of rules) {
    const asked = reminder.exec(told);
    if (asked === null) continue;
    // What somebody asks to remember is a fact, whatever it looks like.
    const sentence = told.slice(asked[0].length).replace(/[?？]$/, '.');
    return { sentence, said: said.trim(), reason: null, isReminder: true };
  }
  return { sentence: told, said: said.trim(), reason: reasonToDrop(told, rules) };
}

/** What somebody asks to have corrected is no statement, nor what is only supposed. */
function withoutMaterial(read: Read[], isAmongPeople: boolean): Read[] {
  if (isAmongPeople) return read;
  return read.map((one, index) => {
    if (one.reason !== null || one.isReminder) return one;
    if (isSupposed(one.sentence)) return { ...one, reason: 'supposed' };
    const { reason = null, said = '' } = read[index - 1] ?? {};
    const isAsked = reason === 'question' || reason === 'request';
    return isAsked && isQuoted(one.said, said) ? { ...one, reason: 'quotation' } : one;
  });
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

const anaphora = new RegExp(
  "^(?:(?:He|She|It|They|His|Her|Their|Its|That|This|These|Those)(?:['’]\\p{L}+)?|" +
    '(?:У )?(?:Он|Она|Они|Его|Её|Ему|Ей|Их|Им|него|неё|них))(?!\\p{L})',
  'u',
);

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
  if (language !== 'en') return sentence;
  const isOrder = speaker === anyUser && typeOf(sentence, rulesOf(language)) === 'instruction';
  return isOrder ? sentence : (toThirdPerson(sentence, speaker) ?? sentence);
}

type About = { number: number; language: Language; speaker: string };

function statementOf(
  group: readonly string[],
  { number, language, speaker }: About,
): Omit<Statement, 'around'> {
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
    isAsked: false,
  };
}

/** What somebody only asks, as it was said: who "I" and "you" are stays open. */
function questionOf(
  asked: readonly Read[],
  read: readonly Read[],
  { number: message, language, speaker }: About,
): Statement {
  const text = asked.map(({ sentence }) => sentence).join(' ');
  return {
    text,
    message,
    said: null,
    around: read.map(({ said }) => said).join(' '),
    speaker,
    type: 'fact',
    slot: null,
    language,
    isDated: false,
    tense: null,
    isAsked: true,
  };
}

function typeOf(sentence: string, { types }: LanguageRules): MemoryType {
  const text = sentence.replace(hasty, "I'$<rest>");
  return types.find(([, pattern]) => pattern.test(text))?.[0] ?? 'fact';
}

function tenseOf(sentence: string, type: MemoryType, rules: LanguageRules) {
  const own = tenseOfDated(sentence, rules);
  if (type === 'plan') return 'future';
  if (own !== null) return own;
  if (type === 'event' || rules.past.test(sentence)) return 'past';
  return rules.future.test(sentence) ? 'future' : null;
}

/** "I have saved enough, and might go in May": beside the date another time is spoken of. */
function tenseOfDated(sentence: string, { past, future, dated }: LanguageRules) {
  const clauses = sentence.split(clauseEnd);
  const [clause, ...others] = clauses.filter((one) => dated.test(one.replace(amount, '')));
  if (clause === undefined || others.length > 0 || clauses.length === 1) return null;
  return future.test(clause) && !past.test(clause) ? 'future' : null;
}

/** A number is dated only with what is counted. */
const amount = /\d+/g;

const clauseEnd = /(?<!\d)[,;.!]\s+|\s(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|и|а|но)\s/iu;
