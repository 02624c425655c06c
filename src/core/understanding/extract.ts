import type { Message } from '../../contract/schemas/message.ts';
import { sentencesOf } from './sentences.ts';

/** What somebody states, and the number of the message that states it. */
export type Statement = { text: string; message: number };

/**
 * What messages state, without a model: messages are cut into sentences, and sentences that state
 * nothing to remember (greetings, thanks, acknowledgements, questions, requests) are dropped. The
 * rules for what to drop know English words; of other languages only questions with their mark are
 * dropped.
 * What is kept is kept word for word, but for a greeting or "please remember that" before it: when
 * in doubt a sentence stays.
 */
export function extract(messages: readonly Message[]): Statement[] {
  return messages.flatMap((message, number) =>
    statesFacts(message) ? statementsOf(message, number) : [],
  );
}

/**
 * People state facts about themselves. What an assistant says is mostly advice and echo, unless it
 * speaks under a name, as one of several people in a conversation does.
 */
function statesFacts({ role, name }: Message): boolean {
  return role === 'user' || (role !== 'system' && name !== undefined);
}

function statementsOf({ content }: Message, message: number): Statement[] {
  return sentencesOf(content)
    .map((sentence) => factIn(sentence))
    .filter((text) => text !== null)
    .map((text) => ({ text, message }));
}

/** The statement that a sentence makes; null when it makes none. */
function factIn(sentence: string): string | null {
  const told = sentence.replace(greeting, '').trim();
  const asked = reminder.exec(told);
  // What somebody asks to remember is a fact, whatever it looks like.
  if (asked !== null) return told.slice(asked[0].length).replace(/[?？]$/, '.');
  return isFact(told) ? told : null;
}

/** Words of greeting and thanks, cut off where punctuation shows that they stand alone. */
const greeting = new RegExp(
  `^(?:${anyOf(
    'hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|thx|oh|wow|haha|lol',
  )}(?: there| everyone| all| again)?\\s*[,.!:;–—-]+\\s*)+(?=\\S+\\s+\\S)`,
  'i',
);

const forget = "don['’]t forget";

/** "Please remember that ...", in the ways in which people say it. */
const reminder = new RegExp(
  `^(?:(?:please|also)[,\\s]+)?(?:${anyOf('can|could|will|would')} you (?:please )?)?` +
    `${anyOf('remember|note(?: down)?|keep in mind|memori[sz]e', 'make a note|save', forget)}` +
    '(?: for me)?(?:,|:|\\s+that)\\s+(?=\\S+\\s+\\S)',
  'i',
);

const acknowledgement = beginsWith(
  'thanks?|thank you|thx|ok(?:ay)?|sure|great|cool|nice|perfect|awesome|sounds good|got it|i see',
  'yes|yeah|yep|no|nope|hi|hello|hey|good (?:morning|afternoon|evening|night)|bye|goodbye|see you',
  "you['’]?re welcome|no problem|understood|exactly|agreed|wow|haha|lol|please|hmm+",
);

/** Longer than this, a sentence that begins like an acknowledgement says more than that. */
const acknowledgementMaxWords = 4;

/** "Thanks, bye" ends or goes on after punctuation; "No meat for me" states something. */
const andMore = anyOf('you|it|good|morning|night|evening|so much|to me|then');
const standsAlone = new RegExp(`^[^\\s,.!]+(?:\\s+${andMore})*\\s*(?:[,.!].*)?$`, 'i');

const auxiliary = anyOf('can|could|would|will|should|do|does|did|is|are|was|were|has|have|had');
const subject = anyOf(
  'i|you|he|she|it|we|they|there|this|that|these|those|my|your|the|anyone|someone',
);
const measure = anyOf('much|many|long|often|far|about');

/** Questions without their mark: an auxiliary and its subject, or a question word and a verb. */
const question = beginsWith(
  `${auxiliary}\\s+${subject}`,
  `(?:what|when|where|who|whom|whose|which|why|how)(?:['’]s|\\s+(?:${auxiliary}|${measure}))`,
  `(?:what|which)\\s+\\S+\\s+${auxiliary}`,
);

/** Things to do now, which say nothing about whoever asks for them. */
const request = beginsWith(
  '(?:please )?(?:tell|show|give|send|remind|help|teach) me',
  `(?:please )?${anyOf(
    'explain|write|list|summari[sz]e|translate|describe|compare|suggest|recommend|find|create',
    'generate|fix|check',
  )}\\s+${anyOf('me|us|a|an|the|this|that|these|those|it|my|some|all|how|what|why')}`,
);

function anyOf(...alternatives: string[]): string {
  return `(?:${alternatives.join('|')})`;
}

function beginsWith(...alternatives: string[]): RegExp {
  return new RegExp(`^${anyOf(...alternatives)}\\b`, 'i');
}

function isFact(sentence: string): boolean {
  const words = sentence.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0 || isQuestion(sentence) || request.test(sentence)) return false;
  if (isAcknowledgement(sentence, words.length)) return false;
  // "I'm vegan" is three words; scripts without spaces put a whole clause into one "word".
  return words.length >= factMinWords || /[\u0250-\u{10FFFF}]{4,}/u.test(sentence);
}

const factMinWords = 3;

function isAcknowledgement(sentence: string, words: number): boolean {
  if (words > acknowledgementMaxWords || !acknowledgement.test(sentence)) return false;
  return words < factMinWords || standsAlone.test(sentence);
}

function isQuestion(sentence: string): boolean {
  return /[?？؟]["'”’)\]]*$/.test(sentence) || question.test(sentence);
}
