import type { Message } from '../../contract/schemas/message.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { type InTurns, mapInTurns } from '../../turns.ts';
import { functionWords } from '../language/function-words.ts';
import { foldWord, wordsOf } from '../language/words.ts';
import type { Decision } from '../ports/index.ts';
import { asksPlainly, notToKeep } from './forgetting/forget-requests.ts';
import { politeWords } from './forgetting/request-words.ts';
import { splitForgetRequest } from './forgetting/split-requests.ts';
import { clauseAsStatement } from './judging/clauses.ts';
import { allRules, isSmallTalk, type RuleLanguage } from './languages/all-languages.ts';
import type { LanguageRules } from './languages/rules.ts';
import type { UnrecordedWords } from './languages/unrecorded-words.ts';
import { hasEnoughWords, splitInTurns } from './sentences.ts';
import { isNamedSpeaker } from './speakers.ts';

type OpenMessages = {
  /** What is read: with requests that also ask to forget what is stored. */
  read: Message[];
  /** What is kept. */
  open: Message[];
  /** The numbers of the messages of which something is left out. */
  unrecorded: number[];
};

/** A request not to remember something. */
type UnrecordedRequest = {
  /** Whether its sentence says nothing else, so that others are meant. */
  isAlone: boolean;
  /** Whether it speaks of what follows, of what was said just before, or of all of it. */
  next: boolean;
  back: boolean;
  all: boolean;
  just: boolean;
  /** Whether a colon follows it: what is said next belongs to it. */
  leads: boolean;
  /** Whether its words are to forget something. */
  isForget: boolean;
  /** What its sentence says instead of what was wrong, and is kept: "I'm actually 34". */
  correction: string;
};

type Sentence = { message: number; text: string; request: UnrecordedRequest | null };

type AsksToForget = (sentence: string) => boolean;

/**
 * Takes out of a user's messages what the user asks not to remember, and the request with it, so
 * that nothing reads or keeps it. It is what the same sentence says. A request that says nothing
 * else is about the sentence before it and all that follows in the message, unless its words or its
 * place tell which; as a message of its own, it is about the user's message before it.
 */
export function* withoutUnrecorded(
  messages: readonly Message[],
  asksToForget: AsksToForget,
): InTurns<OpenMessages> {
  if (!messages.some(mayAsk)) return { read: [...messages], open: [...messages], unrecorded: [] };
  const sentencesByMessage = yield* readUser(messages);
  const meant = new Set<Sentence>();
  for (const [number, sentences] of sentencesByMessage.entries()) {
    for (const [at, { request }] of sentences.entries()) {
      for (const one of request ? meantBy(request, sentencesByMessage, [number, at]) : [])
        meant.add(one);
    }
  }
  const dropped = [...meant].filter((one) => !forgetsAsWell(one, asksToForget));
  const numbers = new Set([...meant].map(({ message }) => message));
  return {
    read: leaveOut(messages, dropped),
    open: leaveOut(messages, [...meant]),
    unrecorded: [...numbers].toSorted((one, other) => one - other),
  };
}

/** The sentences of each message of the user. */
function* readUser(messages: readonly Message[]): InTurns<Sentence[][]> {
  const sentencesByMessage: Sentence[][] = [];
  for (const [message, one] of messages.entries()) {
    if (one.role !== 'user' || isNamedSpeaker(one)) continue;
    const isAsking = mayAsk(one);
    const toSentence = (text: string) => {
      return { message, text: text.trim(), request: isAsking ? readRequest(text) : null };
    };
    sentencesByMessage.push(yield* mapInTurns(yield* splitInTurns(one.content), toSentence));
  }
  return sentencesByMessage;
}

/** "Forget the following: I hate my boss" also asks to forget what is stored of that. */
function forgetsAsWell({ text, request }: Sentence, asksToForget: AsksToForget): boolean {
  if (request === null) return false;
  if (request.isAlone) return notToKeep(text) !== null || (request.next && asksPlainly(text));
  return request.isForget ? request.next : asksToForget(text);
}

function mayAsk({ role, content }: Message): boolean {
  return role === 'user' && allRules.some((rules) => hints(rules, content));
}

/** Whether a text has words of such requests; their pattern is long, and most have none. */
function hints({ unrecorded }: LanguageRules, text: string): boolean {
  return unrecorded.hint.test(text) && unrecorded.storing.test(text);
}

function readRequest(said: string): UnrecordedRequest | null {
  const sentence = said.trim();
  for (const rules of allRules) {
    if (!hints(rules, sentence)) continue;
    const { unrecorded, isSpaceless = false } = rules;
    const [clause, ...others] = sentence.match(unrecorded.asked) ?? [];
    if (clause === undefined) continue;
    const rest = sentence.replace(unrecorded.asked, ' ');
    const remainder = rest.replace(unrecorded.announced, ' ');
    const isTold = remainder !== rest || unrecorded.excused.test(rest);
    const words = [clause, ...others].join(' ');
    const after = sentence.startsWith(clause) ? sentence.slice(clause.length) : '';
    const request = {
      isAlone: isTold ? contentOf(remainder).length < 3 : !saysMore(rest, isSpaceless),
      next: unrecorded.next.test(words) || /[:：]\s*$/u.test(sentence),
      back: unrecorded.back.test(words),
      all: unrecorded.all.test(words),
      just: unrecorded.just.test(words),
      leads: /^\s{0,3}[:：]/u.test(after),
      isForget: asksPlainly(clauseAsStatement(clause)) || unrecorded.pointed.test(clause),
    };
    return { ...request, correction: correctionIn(after, request, unrecorded) };
  }
  return null;
}

/** After "Forget what I said" or "don't store that I'm a teacher", what is right instead. */
function correctionIn(
  after: string,
  { isForget, next, back }: Pick<UnrecordedRequest, 'isForget' | 'next' | 'back'>,
  { corrected, excused }: UnrecordedWords,
): string {
  const [wrong] = /^[^,;:–—，、：]{0,100}[,;–—，、]\s{0,2}/u.exec(after) ?? [];
  if (wrong === undefined) return '';
  const right = after.slice(wrong.length);
  const isInstead = /^\s{0,2}\p{L}/u.test(wrong)
    ? corrected.test(right)
    : isForget && back && !next;
  return isInstead && hasEnoughWords(right) && contentOf(right).length > 0 && !excused.test(right)
    ? right
    : '';
}

/** "Don't write this down, okay?" says nothing else. */
function saysMore(rest: string, isSpaceless: boolean): boolean {
  if (isSpaceless) return wordsOf(rest).join('').length >= spacelessMinChars;
  return contentOf(rest).length > 0 && wordsOf(rest).length > 1;
}

const spacelessMinChars = 4;

function contentOf(text: string): string[] {
  const words = wordsOf(text).map(foldWord);
  return words.filter((word) => !functionWords.has(word) && !politeWords.has(word));
}

/** Sentences as `splitForgetRequest` has them; "Forget the following: I hate my boss" is one. */
export function splitRequest(sentence: string, languages: readonly RuleLanguage[]): string[] {
  const parts = splitForgetRequest(sentence, languages);
  if (parts.length < 2) return parts;
  const request = readRequest(sentence);
  return request?.isForget === true && request.next ? [sentence] : parts;
}

/** What a request is about, and the request itself. */
function meantBy(
  request: UnrecordedRequest,
  said: readonly Sentence[][],
  [number, at]: readonly [number, number],
): readonly Sentence[] {
  const sentences = said[number] ?? [];
  const { isAlone, isForget, next, back, all, correction } = request;
  const before = sentences.slice(0, at);
  const after = sentences.slice(at + 1);
  const isBefore = before.some(states);
  // With nothing before it, "what I just told you" may well be what follows.
  if (correction !== '' && (isBefore || !request.just)) {
    const corrections = sentences.slice(at, at + 1).map((one) => withoutEnd(one, correction));
    return isForget && isBefore ? [...lastOf(before, request), ...corrections] : corrections;
  }
  // "Don't store any of this: A. B." is about all that follows.
  if (!isAlone) return sentences.slice(at, all && request.leads ? undefined : at + 1);
  const isAfter = after.some(states);
  if (isBefore) {
    if (next && isAfter) return sentences.slice(at);
    const last = lastOf(before, request);
    return back && !all
      ? [...last, ...sentences.slice(at, at + 1)]
      : [...last, ...sentences.slice(at)];
  }
  if (isForget && !next) return [];
  if (isAfter) return sentences.slice(at);
  const other = next ? (said[number + 1] ?? []) : lastOf(said[number - 1] ?? [], request);
  return [...other, ...sentences.slice(at)];
}

function withoutEnd(sentence: Sentence, end: string): Sentence {
  return { ...sentence, text: sentence.text.slice(0, -end.length).trim() };
}

function states({ text }: Sentence): boolean {
  return hasEnoughWords(text) && !isSmallTalk(text);
}

/** The last statement with what was said after it; or all. */
function lastOf(sentences: Sentence[], { all }: UnrecordedRequest): Sentence[] {
  return all ? sentences : sentences.slice(Math.max(0, sentences.findLastIndex(states)));
}

function leaveOut(messages: readonly Message[], sentences: readonly Sentence[]): Message[] {
  const texts = new Map<number, Set<string>>();
  for (const { message, text } of sentences) {
    texts.set(message, (texts.get(message) ?? new Set()).add(text));
  }
  return messages.map((one, number) => without(one, texts.get(number) ?? new Set()));
}

/** What was said around it stays apart. */
function without(message: Message, sentences: ReadonlySet<string>): Message {
  if (sentences.size === 0) return message;
  let { content } = message;
  for (const sentence of sentences) {
    // A sentence that was put together from others does not stand there as it is.
    if (!content.includes(sentence)) return { ...message, content: gap };
    content = content.replaceAll(sentence, `\n${gap}\n`);
  }
  return { ...message, content: content.replace(gaps, `\n${gap}\n`).trim() };
}

const gap = '…';
const gaps = /\s{0,3}…(?:\s{0,3}…){0,99}\s{0,3}/gu;

/** Says of messages that something in them was not stored, and shows no words of theirs. */
export function tellUnrecorded(decisions: readonly Decision[], messages: number[]): Decision[] {
  const silent = decisions.map((one) =>
    one.event === 'NOOP' && messages.includes(one.message) ? { ...one, text: '' } : one,
  );
  return [...silent, ...messages.map((message) => ({ ...unrecordedFields, message }))];
}

const unrecordedFields: StrictOmit<Decision, 'message'> = {
  event: 'NOOP',
  target: null,
  text: '',
  type: null,
  slot: null,
  occurred: null,
  said: null,
  reason: 'what the user asked not to remember was left out and not stored',
};
