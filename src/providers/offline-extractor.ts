import type { Message } from '../contract/schemas/message.ts';
import type { Extractor, Fact } from '../core/ports.ts';

/**
 * Extracts facts without a model: messages are cut into sentences, and sentences that state nothing
 * to remember (greetings, thanks, acknowledgements, questions, requests) are dropped.
 */
export function createOfflineExtractor(): Extractor {
  return { extract: async (messages) => messages.filter(statesFacts).flatMap(factsOf) };
}

/**
 * People state facts about themselves. What an assistant says is mostly advice and echo, unless it
 * speaks under a name, as one of several people in a conversation does.
 */
function statesFacts({ role, name }: Message): boolean {
  return role === 'user' || (role !== 'system' && name !== undefined);
}

function factsOf(source: Message): Fact[] {
  return sentencesOf(source.content)
    .map((sentence) => sentence.replace(leadIn, '').trim())
    .filter((sentence) => isFact(sentence))
    .map((text) => ({ text, source }));
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** Sentences of a text; a line ends one too, and an abbreviation such as "Dr." does not. */
function sentencesOf(text: string): string[] {
  return text.split(/\n+/).flatMap((line) => {
    const sentences: string[] = [];
    for (const { segment } of segmenter.segment(line)) {
      const last = sentences.at(-1);
      if (last !== undefined && abbreviation.test(last)) {
        sentences[sentences.length - 1] = last + segment;
      } else {
        sentences.push(segment);
      }
    }
    return sentences.flatMap(piecesOf);
  });
}

const abbreviation = /(?:^|\s)(?:dr|mr|mrs|ms|prof|st|vs|approx|e\.g|i\.e)\.\s*$/i;

/** A memory is sentence-sized: a run without full stops is cut at white space. */
function piecesOf(sentence: string): string[] {
  return sentence.match(/\S[\s\S]{0,1999}(?=\s|$)|\S{1,2000}/g) ?? [];
}

/** Interjections before the statement itself. */
const opener = anyOf(
  'hi|hello|hey|ok(?:ay)?|well|so|oh|yes|yeah|no|sure|thanks?|thank you|great|also|btw|by the way',
);
const leadIn = new RegExp(
  `^(?:${opener}(?: there| everyone| all)?[\\s,.!:;–-]+)+(?=\\S+\\s+\\S)`,
  'i',
);

const acknowledgement = beginsWith(
  'thanks?|thank you|thx|ok(?:ay)?|sure|great|cool|nice|perfect|awesome|sounds good|got it|i see',
  'yes|yeah|yep|no|nope|hi|hello|hey|good (?:morning|afternoon|evening|night)|bye|goodbye|see you',
  "you['’]?re welcome|no problem|understood|right|exactly|agreed|wow|haha|lol|please|hmm+",
);

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

/** Requests to the assistant, which say nothing about whoever makes them. */
const request = beginsWith(
  "please|(?:tell|show|give|send|remind|help|teach) me|let['’]?s",
  `${anyOf(
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
  if (acknowledgement.test(sentence) && words.length <= acknowledgementMaxWords) return false;
  // "I'm vegan" is three words; scripts without spaces put a whole clause into one "word".
  return words.length >= factMinWords || /[\u0250-\u{10FFFF}]{4,}/u.test(sentence);
}

const acknowledgementMaxWords = 4;
const factMinWords = 3;

function isQuestion(sentence: string): boolean {
  return /[?？؟]["'”’)\]]*$/.test(sentence) || question.test(sentence);
}
