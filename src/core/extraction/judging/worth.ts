import type { Message } from '../../../contract/schemas/message.ts';
import { type InTurns, mapInTurns } from '../../../turns.ts';
import { classify } from '../../classifier/linear-model.ts';
import {
  type SentenceContext,
  sentenceFeatures,
  textToEmbed,
} from '../../classifier/sentence-features.ts';
import type { ExtractionModels } from '../../ports/index.ts';
import { splitInTurns } from '../sentences.ts';
import { isNamedSpeaker } from '../speakers.ts';
import { quotedShares } from './quoted-parts.ts';

/**
 * How likely a sentence is to help in a month, from 0 to 1, and how much of that is because it
 * answers something.
 */
export type Worth = { lasting: number; answer: number };

/** Reads the worth of sentences that one user says to an assistant. */
export type WorthReader = (text: string, around: SentenceContext) => Worth;

/**
 * Reads all that users say in a conversation, because its sentences have much in common: in a game,
 * a joke or a search for an error hardly any is worth remembering, in another talk most are.
 */
export function* createWorthReader(
  messages: readonly Message[],
  models: ExtractionModels,
): InTurns<WorthReader> {
  const cache = new Map<string, Worth>();
  const modelWorth = (text: string, around: SentenceContext): Worth => {
    const key = JSON.stringify([text, around.previous, around.next, around.answered?.slice(-120)]);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const worth = worthOf(text, around, models);
    cache.set(key, worth);
    return worth;
  };
  let [sum, count] = [0, 0];
  for (const [number, message] of messages.entries()) {
    if (message.role !== 'user' || isNamedSpeaker(message)) continue;
    const sentences = (yield* splitInTurns(message.content.slice(0, readChars)))
      .map((one) => one.trim())
      .filter((one) => one !== '');
    const places = contextsOf(sentences, answeredBy(messages, number));
    const worths = yield* mapInTurns(sentences, (one, at) =>
      modelWorth(one, places[at] as SentenceContext),
    );
    for (const [at, { lasting }] of worths.entries()) {
      if (isShort(sentences[at] ?? '')) continue;
      sum += logit(lasting);
      count += 1;
    }
  }
  return (text, around) => {
    const { lasting, answer } = modelWorth(text, around);
    const others = (sum - (isShort(text) ? 0 : logit(lasting))) / (count + fewSentences);
    const shared = 1 / (1 + Math.exp(-(logit(lasting) + othersWeight * others)));
    return { lasting: shared, answer: lasting === 0 ? 0 : (answer / lasting) * shared };
  };
}

/** The beginning of a long message is enough to show what kind of talk it is. */
const readChars = 4000;

/** "Thanks!" says nothing of what the rest is about. */
function isShort(sentence: string): boolean {
  return sentence.length < shortChars && !/\S\s+\S+\s+\S/u.test(sentence);
}

const shortChars = 12;

/** Up to this many other sentences count half as much as many do. */
const fewSentences = 2;

/** How much the other sentences of a conversation say; see `tools/classifier/README.md`. */
const othersWeight = 0.7;

/** The assistant's message before a message; null if there is none. */
export function answeredBy(messages: readonly Message[], number: number): string | null {
  const before = messages[number - 1];
  return before?.role === 'assistant' ? before.content : null;
}

/** The context of each sentence of a message. */
export function contextsOf(
  sentences: readonly string[],
  answered: string | null,
): SentenceContext[] {
  const quoted = quotedShares(sentences);
  return sentences.map((_, at) => ({
    answered,
    previous: sentences[at - 1] ?? '',
    next: sentences[at + 1] ?? '',
    quoted: quoted[at] ?? 0,
  }));
}

function worthOf(
  text: string,
  around: SentenceContext,
  { sentences, embed }: ExtractionModels,
): Worth {
  const vector = embed(textToEmbed(text, around));
  const shares = classify(sentences, sentenceFeatures(text, around), vector);
  return { lasting: 1 - (shares.get('passing') ?? 0), answer: shares.get('answer') ?? 0 };
}

function logit(share: number): number {
  return Math.log((share + 1e-4) / (1 - share + 1e-4));
}
