import { type InTurns, mapInTurns } from '../../../turns.ts';
import type { SentenceContext } from '../../classifier/sentence-features.ts';
import type { ClassifiedSentence } from '../classify-sentences.ts';
import { isTextTask } from '../code-and-quotes.ts';
import type { LanguageRules } from '../languages/rules.ts';
import { createAnswerReader, needsWhatItAnswers, type WholeAnswer } from './answers.ts';
import { clauseAsStatement, isRelativeClause, splitClauses } from './clauses.ts';
import { isHypothetical } from './hypotheticals.ts';
import { opensWithPerson } from './references.ts';
import { isTask } from './unstated.ts';
import { contextsOf, type WorthReader } from './worth.ts';

export type Judging = {
  worthOf: WorthReader;
  /** Whether an assistant takes part: who speaks without one mostly means it to be remembered. */
  isTalk: boolean;
  /** Whether rules recognize a sentence as more than a plain fact. */
  isKnown(sentence: string): boolean;
  /** Whether rules are certain of it, because it fills a slot or corrects a date. */
  isSure(sentence: string): boolean;
  rules: readonly LanguageRules[];
};

/**
 * Decides with what was learned where rules cannot: drops what will not help in a month, such as
 * moods, tasks and quoted text; keeps a fact that stands in a request, cut out of it; and says what
 * a short answer answers. `answered` is the assistant's message before these sentences; null if
 * there is none.
 */
export function* judgeSentences(
  sentences: readonly ClassifiedSentence[],
  answered: string | null,
  { worthOf, isTalk, isKnown, isSure, rules }: Judging,
): InTurns<ClassifiedSentence[]> {
  let reader: ((answer: string) => WholeAnswer) | undefined;
  const complete = (answer: string): WholeAnswer | null => {
    // "She's 31" stays with what the user said of her.
    if (answered === null || opensWithPerson(answer) || !needsWhatItAnswers(answer)) return null;
    reader ??= createAnswerReader(answered);
    return reader(answer);
  };
  const places = contextsOf(
    sentences.map(({ said }) => said),
    answered,
  );
  const judged = yield* mapInTurns(sentences, (one, index) => {
    const around = places[index];
    if (one.isReminder || one.forget || around === undefined) return [one];
    if (one.reason === 'question' || one.reason === 'request') {
      return [...factsAsked(one, around, { worthOf, rules }), one];
    }
    if (one.reason === null && isSure(one.sentence)) return [one];
    const whole = mayBeAnswer(one) ? complete(one.sentence) : null;
    if (one.reason !== null && whole === null) return [one];
    const isAlone = sentences.length === 1 && !isTalk;
    const [plainMin, knownMin] = isAlone ? aloneMin : isTalk ? talkMin : togetherMin;
    const saysChange = rules.some(({ newValue }) => newValue.test(one.sentence));
    const isMeant = isAlone && !one.isAsked && (saysChange || namesSomething.test(one.sentence));
    const usualMin = isKnown(one.sentence) ? knownMin : plainMin;
    const lastingMin = isMeant ? 0 : one.isAsked ? clauseLastingMin : usualMin;
    return [judge({ one, whole, least: lastingMin }, around, worthOf)];
  });
  return judged.flat();
}

function mayBeAnswer({ reason }: ClassifiedSentence): boolean {
  return reason === null || reason === 'fragment' || reason === 'small talk';
}

/**
 * `whole`: it as an answer that stands alone; `least`: how likely it must be to help in a month.
 */
type Judged = { one: ClassifiedSentence; whole: WholeAnswer | null; least: number };

function judge(
  { one, whole, least }: Judged,
  around: SentenceContext,
  worthOf: WorthReader,
): ClassifiedSentence {
  const { lasting, answer } = worthOf(one.isAsked ? one.sentence : one.said, around);
  if (whole?.isStatement && lasting >= statementLastingMin) {
    return { ...one, reason: null, sentence: whole.text };
  }
  const isAnswer = answer >= answerMin && answer >= lasting / 2;
  if (whole !== null && isAnswer && one.reason !== 'small talk') {
    return { ...one, reason: null, sentence: whole.text };
  }
  return one.reason === null && lasting < least ? { ...one, reason: 'passing' } : one;
}

/** The clauses of a question or request that state a fact, as statements. */
function factsAsked(
  { sentence }: ClassifiedSentence,
  around: SentenceContext,
  { worthOf, rules }: Pick<Judging, 'worthOf' | 'rules'>,
): ClassifiedSentence[] {
  if (isHypothetical(sentence) || isTextTask(sentence)) return [];
  const clauses = splitClauses(sentence);
  const facts: string[] = [];
  let isOpen = false;
  clauses.forEach((clause, index) => {
    const previous = clauses[index - 1] ?? around.previous;
    const next = clauses[index + 1] ?? around.next;
    const text = clause.trim();
    const { lasting } = worthOf(text, { ...around, previous, next });
    const isAsked = /[?？]\s*$/u.test(text) && clauses.length === 1;
    const isFact =
      lasting >= clauseLastingMin && !isAsked && !isTask(clauseAsStatement(text), rules);
    if (isFact && isOpen) facts[facts.length - 1] += clause;
    else if (isFact && isRelativeClause(text)) facts.push((clauses[index - 1] ?? '') + clause);
    else if (isFact) facts.push(clause);
    isOpen = isFact;
  });
  return facts
    .map(clauseAsStatement)
    .filter((text) => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ').length >= factMinChars)
    .map((text) => ({ sentence: text, said: text, reason: null }));
}

const factMinChars = 8;

/**
 * Below these probabilities of being worth remembering a sentence is dropped: a plain one, and one
 * that rules recognize, such as a preference. Who says one sentence without an assistant mostly
 * means it to be remembered. `tools/classifier/README.md` has what stays from which probability on.
 */
const talkMin = [0.08, 0.05] as const;
const togetherMin = [0.05, 0.05] as const;
const aloneMin = [0.05, 0.035] as const;

/** A name or a number: who tells one thing with one, or a change, means it to be remembered. */
const namesSomething = /\S\s+["“«(]?\p{Lu}|\p{N}/u;

/** A clause of a request must be surer: most of them belong to what is asked. */
const clauseLastingMin = 0.5;

/** A whole statement that an answer makes is likelier to be one than words alone. */
const statementLastingMin = 0.25;

/** From here on, short words are taken as an answer to what the assistant said. */
const answerMin = 0.35;
