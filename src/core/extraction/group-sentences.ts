import type { InTurns } from '../../turns.ts';
import type { ClassifiedSentence, ForgetRequest } from './classify-sentences.ts';
import {
  isFragment,
  isOfSpeaker,
  lacksPerson,
  opensWithPerson,
  opensWithReference,
} from './judging/references.ts';
import { personsIn } from './persons.ts';
import { hasRoom } from './sentences.ts';

/** Sentences that form one memory, and the original sentences around them, dropped ones too. */
export type SentenceGroup = {
  sentences: string[];
  around: string[];
  forget: ForgetRequest | null;
  isReminder: boolean;
};

type BelongsToGroup = (sentence: string, group: readonly string[], isNext: boolean) => boolean;

export function* groupSentences(
  judged: readonly ClassifiedSentence[],
  belongs: BelongsToGroup,
): InTurns<SentenceGroup[]> {
  const groups: SentenceGroup[] = [];
  let waiting: string[] = [];
  let before = false;
  let dropped: string | null = null;
  for (const { sentence, said, reason, forget = null, isReminder = false } of judged) {
    yield;
    const last = groups.at(-1);
    // "He is two" needs the sentence before it to say who is meant; a request stands for itself.
    const mayJoin = reason === null && forget === null && last !== undefined;
    if (mayJoin && belongs(sentence, last.sentences, before)) {
      last.sentences.push(sentence);
      last.around.push(said);
    } else if (reason === null) {
      const subjects = dropped !== null && needsNamed(sentence, dropped) ? [dropped] : [];
      const sentences = [...subjects, sentence];
      groups.push({ sentences, around: [...waiting, said], forget, isReminder });
      waiting = [];
    } else if (last === undefined) {
      waiting.push(said);
    } else if (hasRoom(said, last.around)) {
      last.around.push(said);
    }
    before = reason === null;
    dropped = before || reason === 'small talk' ? null : said;
  }
  return groups;
}

type Belonging = {
  isNamed: boolean;
  isUnnamed(sentence: string): boolean;
  isRecognized(sentence: string): boolean;
  fills(sentence: string): boolean;
};

/** Tells whether a sentence belongs to those before it. */
export function createBelonging({
  isNamed,
  isUnnamed,
  isRecognized,
  fills,
}: Belonging): BelongsToGroup {
  const continues = (sentence: string, group: readonly string[]) =>
    hasRoom(sentence, group) && (isContinuation(sentence) || isUnnamed(sentence));
  const isAbout = (sentence: string, [first = '']: readonly string[]) =>
    !isRecognized(sentence) || (isUnnamed(sentence) && !opensWithPerson(first));
  return (sentence, group, isNext) =>
    (isNext && hasRoom(sentence, group) && goesOn(sentence, group)) ||
    (isNext && continues(sentence, group) && isAbout(sentence, group)) ||
    (isNamed && hasRoom(sentence, group) && ![...group, sentence].some(fills));
}

/** "Loves whisky" is of the person named before. */
function goesOn(sentence: string, group: readonly string[]): boolean {
  return lacksPerson(sentence) && personsIn(group.join(' ')).length > 0;
}

function isContinuation(sentence: string): boolean {
  return opensWithReference(sentence) || isFragment(sentence);
}

/** "He likes dinosaurs" is not read without the question about "my nephew" before it. */
function needsNamed(sentence: string, before: string): boolean {
  const isNamed = isOfSpeaker(before) && !opensWithPerson(before);
  return isNamed && opensWithPerson(sentence) && hasRoom(sentence, [before]);
}
