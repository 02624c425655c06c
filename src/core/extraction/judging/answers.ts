import { functionWords } from '../../language/function-words.ts';
import { foldWord, wordsOf } from '../../language/words.ts';
import { answerAsStatement } from '../languages/en/answers.ts';
import { toThirdPerson } from '../languages/en/third-person.ts';
import { splitSentences } from '../sentences.ts';
import { opensWithReference } from './references.ts';

/** Whether a sentence says little without what it answers: "ok wedge", "220, with terrace". */
export function needsWhatItAnswers(sentence: string): boolean {
  return (
    sentence.length <= fewChars &&
    (termsOf(sentence).length <= fewTerms || opensWithReference(sentence))
  );
}

const fewTerms = 4;
const fewChars = 80;

/** An answer in words that stand alone; `isStatement` where it is one sentence about the user. */
export type WholeAnswer = { text: string; isStatement: boolean };

/**
 * Reads answers to an assistant's message, of which only the end counts. An answer becomes a
 * statement about the user where a form of English is certain, else both sides of the conversation.
 */
export function createAnswerReader(message: string): (answer: string) => WholeAnswer {
  const sentences = splitSentences(message.slice(-messageChars))
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((text) => ({ text, terms: new Set(termsOf(text)) }));
  return (answer) => {
    const part = answeredPart(sentences, answer);
    const statement = answerAsStatement(part, answer);
    return statement === null
      ? { text: `Assistant: "${part}" User: "${answer.trim()}"`, isStatement: false }
      : { text: toThirdPerson(statement, 'User') ?? statement, isStatement: true };
  };
}

/** "She's 31" with the question about whom; null if there is none. */
export function withWhatItAnswers<Statement extends { text: string; said: string | null }>(
  one: Statement,
  answered: string | null,
): Statement | null {
  const words = one.said ?? one.text;
  const isAsked = answered !== null && /[?？]["'”’)\]]{0,3}\s{0,9}$/u.test(answered.slice(-20));
  if (!isAsked || words.length > fewChars) return null;
  return { ...one, text: createAnswerReader(answered)(words).text, said: null };
}

/** People answer what they read last. */
const messageChars = 2000;

type SaidSentence = { text: string; terms: ReadonlySet<string> };

/** The sentence that shares most words with the answer, else the last question or sentence. */
function answeredPart(sentences: readonly SaidSentence[], answer: string): string {
  const answerTerms = termsOf(answer);
  const shared = ({ terms }: SaidSentence) => answerTerms.filter((term) => terms.has(term)).length;
  const [most] = sentences.toSorted((one, other) => shared(other) - shared(one));
  if (most !== undefined && shared(most) > 0) return cut(most.text);
  const question = sentences.findLast(({ text }) => /[?？]["'”’)\]]*$/.test(text));
  return cut((question ?? sentences.at(-1))?.text ?? '');
}

const partMaxChars = 240;

function cut(text: string): string {
  return text.length <= partMaxChars ? text : `${text.slice(0, partMaxChars - 1).trimEnd()}…`;
}

function termsOf(text: string): string[] {
  return wordsOf(text)
    .map(foldWord)
    .filter((word) => !functionWords.has(word));
}
