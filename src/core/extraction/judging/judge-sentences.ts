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
  hasAssistant: boolean;
  /** Whether rules recognize a sentence as more than a plain fact. */
  isRecognized(sentence: string): boolean;
  /** Whether rules are certain of it, because it fills a slot or corrects a date. */
  isCertain(sentence: string): boolean;
  rules: readonly LanguageRules[];
};

/**
 * Lets the classifier decide what rules cannot. Drops what will not help in a month, such as
 * moods, tasks and quoted text; keeps a fact that stands in a request, cut out of it; and says what
 * a short answer answers. `answered` is the assistant's message before these sentences; null if
 * there is none.
 */
export function* judgeSentences(
  sentences: readonly ClassifiedSentence[],
  answered: string | null,
  { worthOf, hasAssistant, isRecognized, isCertain, rules }: Judging,
): InTurns<ClassifiedSentence[]> {
  let reader: ((answer: string) => WholeAnswer) | undefined;
  const complete = (answer: string): WholeAnswer | null => {
    // "She's 31" stays with what the user said of her.
    if (answered === null || opensWithPerson(answer) || !needsWhatItAnswers(answer)) return null;
    reader ??= createAnswerReader(answered);
    return reader(answer);
  };
  const contexts = contextsOf(
    sentences.map(({ said }) => said),
    answered,
  );
  const isAlone = sentences.length === 1 && !hasAssistant;
  const judged = yield* mapInTurns(sentences, (one, index) => {
    const context = contexts[index];
    if (one.isReminder || one.forget || context === undefined) return [one];
    if (one.reason === 'question' || one.reason === 'request') {
      return [...factsInRequest(one, context, { worthOf, rules }), one];
    }
    if (one.reason === null && isCertain(one.sentence)) return [one];
    const asAnswer = mayBeAnswer(one) ? complete(one.sentence) : null;
    if (one.reason !== null && asAnswer === null) return [one];
    const lastingMin = lastingMinFor(one, { isAlone, hasAssistant, isRecognized, rules });
    return [judge({ one, asAnswer, lastingMin }, context, worthOf)];
  });
  return judged.flat();
}

function mayBeAnswer({ reason }: ClassifiedSentence): boolean {
  return reason === null || reason === 'fragment' || reason === 'small talk';
}

type MinContext = Pick<Judging, 'hasAssistant' | 'isRecognized' | 'rules'> & {
  /** Whether the message says nothing else, and no assistant takes part. */
  isAlone: boolean;
};

/** How likely a sentence must be to help in a month. */
function lastingMinFor(
  { sentence, isAsked }: ClassifiedSentence,
  { isAlone, hasAssistant, isRecognized, rules }: MinContext,
): number {
  if (isAsked) return clauseLastingMin;
  const saysChange = rules.some(({ newValue }) => newValue.test(sentence));
  if (isAlone && (saysChange || namesSomething.test(sentence))) return 0;
  const { plain, known } = isAlone ? aloneMin : hasAssistant ? talkMin : togetherMin;
  return isRecognized(sentence) ? known : plain;
}

/** `asAnswer`: the sentence with what it answers, if it may be an answer. */
type ToJudge = { one: ClassifiedSentence; asAnswer: WholeAnswer | null; lastingMin: number };

function judge(
  { one, asAnswer, lastingMin }: ToJudge,
  context: SentenceContext,
  worthOf: WorthReader,
): ClassifiedSentence {
  const { lasting, answer } = worthOf(one.isAsked ? one.sentence : one.said, context);
  if (asAnswer?.isStatement && lasting >= statementLastingMin) {
    return { ...one, reason: null, sentence: asAnswer.text };
  }
  const isAnswer = answer >= answerMin && answer >= lasting / 2;
  if (asAnswer !== null && isAnswer && one.reason !== 'small talk') {
    return { ...one, reason: null, sentence: asAnswer.text };
  }
  return one.reason === null && lasting < lastingMin ? { ...one, reason: 'passing' } : one;
}

/** The clauses of a question or request that state a fact, as statements. */
function factsInRequest(
  { sentence }: ClassifiedSentence,
  context: SentenceContext,
  { worthOf, rules }: Pick<Judging, 'worthOf' | 'rules'>,
): ClassifiedSentence[] {
  if (isHypothetical(sentence) || isTextTask(sentence)) return [];
  const clauses = splitClauses(sentence);
  const facts: string[] = [];
  let isOpen = false;
  clauses.forEach((clause, index) => {
    const previous = clauses[index - 1] ?? context.previous;
    const next = clauses[index + 1] ?? context.next;
    const text = clause.trim();
    const { lasting } = worthOf(text, { ...context, previous, next });
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
const talkMin = { plain: 0.08, known: 0.05 };
const togetherMin = { plain: 0.05, known: 0.05 };
const aloneMin = { plain: 0.05, known: 0.035 };

/** A name or a number: who tells one thing with one, or a change, means it to be remembered. */
const namesSomething = /\S\s+["“«(]?\p{Lu}|\p{N}/u;

/** A clause of a request must be surer: most of them belong to what is asked. */
const clauseLastingMin = 0.5;

/** A whole statement that an answer makes is likelier to be one than words alone. */
const statementLastingMin = 0.25;

/** From here on, short words are taken as an answer to what the assistant said. */
const answerMin = 0.35;
