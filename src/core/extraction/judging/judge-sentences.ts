import type { ExtractionModels } from '../../ports/index.ts';
import { type InTurns, mapInTurns } from '../../queue/pause.ts';
import { classify } from '../classifier/linear-model.ts';
import {
  type SentenceContext,
  sentenceFeatures,
  textToEmbed,
} from '../classifier/sentence-features.ts';
import type { ClassifiedSentence } from '../classify-sentences.ts';
import { isTextTask } from '../code-and-quotes.ts';
import { isHypothetical } from '../hypotheticals.ts';
import { createAnswerReader, needsWhatItAnswers, type WholeAnswer } from './answers.ts';
import { clauseAsStatement, isRelativeClause, splitClauses } from './clauses.ts';

export type Judging = {
  models: ExtractionModels;
  /** Whether rules recognize a sentence as more than a plain fact. */
  isKnown(sentence: string): boolean;
};

/**
 * Decides with what was learned where rules cannot: drops what will not help in a month, such as
 * moods, tasks and quoted text; keeps a fact that stands in a request, cut out of it; and says what
 * a short answer answers. `answered` is the assistant's message before these sentences; null if
 * there is none.
 */
export function* judgeSentences(
  read: readonly ClassifiedSentence[],
  answered: string | null,
  { models, isKnown }: Judging,
): InTurns<ClassifiedSentence[]> {
  let reader: ((answer: string) => WholeAnswer) | undefined;
  const complete = (answer: string): WholeAnswer | null => {
    if (answered === null || !needsWhatItAnswers(answer)) return null;
    reader ??= createAnswerReader(answered);
    return reader(answer);
  };
  const judged = yield* mapInTurns(read, (one, index) => {
    if (one.isReminder || one.forget) return [one];
    const previous = read[index - 1]?.said ?? '';
    const next = read[index + 1]?.said ?? '';
    const around = { answered, previous, next };
    if (one.reason === 'question' || one.reason === 'request') {
      return [...factsAsked(one, around, models), one];
    }
    const whole = mayBeAnswer(one) ? complete(one.sentence) : null;
    if (one.reason !== null && whole === null) return [one];
    const heard = judge({ one, whole }, around, models);
    return [heard.reason === 'passing' && isKnown(one.sentence) ? one : heard];
  });
  return judged.flat();
}

function mayBeAnswer({ reason }: ClassifiedSentence): boolean {
  return reason === null || reason === 'fragment' || reason === 'small talk';
}

type Judged = { one: ClassifiedSentence; whole: WholeAnswer | null };

function judge(
  { one, whole }: Judged,
  around: SentenceContext,
  models: ExtractionModels,
): ClassifiedSentence {
  const { lasting, answer } = worthOf(one.said, around, models);
  if (whole?.isStatement && lasting >= statementLastingMin) {
    return { ...one, reason: null, sentence: whole.text };
  }
  if (whole !== null && one.reason !== 'small talk' && answer >= answerMin) {
    return { ...one, reason: null, sentence: whole.text };
  }
  const isPassing = one.reason === null && !isAlone(around) && lasting < lastingMin;
  return isPassing ? { ...one, reason: 'passing' } : one;
}

/** Who sends one sentence alone means it to be remembered. */
function isAlone({ answered, previous, next }: SentenceContext): boolean {
  return answered === null && previous === '' && next === '';
}

/** The clauses of a question or request that state a fact, as statements. */
function factsAsked(
  { sentence }: ClassifiedSentence,
  around: SentenceContext,
  models: ExtractionModels,
): ClassifiedSentence[] {
  if (isHypothetical(sentence) || isTextTask(sentence)) return [];
  const clauses = splitClauses(sentence);
  const facts: string[] = [];
  let isOpen = false;
  clauses.forEach((clause, index) => {
    const previous = clauses[index - 1] ?? around.previous;
    const next = clauses[index + 1] ?? around.next;
    const text = clause.trim();
    const { lasting } = worthOf(text, { ...around, previous, next }, models);
    const isAsked = /[?？]\s*$/u.test(text) && clauses.length === 1;
    const isFact = lasting >= clauseLastingMin && !isAsked;
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

function worthOf(text: string, around: SentenceContext, { sentences, embed }: ExtractionModels) {
  const given = classify(
    sentences,
    sentenceFeatures(text, around),
    embed(textToEmbed(text, around)),
  );
  return { lasting: 1 - (given.get('passing') ?? 0), answer: given.get('answer') ?? 0 };
}

/**
 * Below this probability of being worth remembering a sentence is dropped: of the sentences of the
 * development conversations that are worth it, in folds, 96 of 100 stay, and 62 of 100 that stay
 * are worth it instead of 55.
 */
const lastingMin = 0.05;

/** A clause of a request must be surer: most of them belong to what is asked. */
const clauseLastingMin = 0.5;

/** A whole statement that an answer makes is likelier to be one than words alone. */
const statementLastingMin = 0.25;

/** From here on, short words are taken as an answer to what the assistant said. */
const answerMin = 0.35;
