import type { RelatedMemory } from '../../core/ports/index.ts';
import type { MessageChunk } from './extraction-prompt.ts';

/** Index terms of texts: all of them, and the salient ones. */
export type TermAnalyzer = { all(text: string): string[]; salient(text: string): string[] };

/** The share of a memory's terms that must occur in the conversation. */
const groundedShareMin = 0.5;
const relatedShareMin = 1 / 3;
const retractedShareMin = 0.5;

/** The terms of a text without the speaker, who occurs in all memories. */
export function subjectTerms(
  text: string,
  terms: TermAnalyzer,
  people: ReadonlySet<string>,
): string[] {
  return terms.salient(text.replace(datePattern, ' ')).filter((term) => !people.has(term));
}

/** Dates are computed, so they need not occur in the conversation. */
const datePattern = /\b\d{4}-\d\d(?:-\d\d)?(?:T[\d:.]+Z?)?\b|\b(?:19|20)\d\d\b/g;

/**
 * The share of a text that the conversation supports; null if it is too little, or its message
 * supports nothing of it.
 */
export function findGrounding(
  subjects: readonly string[],
  said: { message: ReadonlySet<string>; all: ReadonlySet<string> },
): number | null {
  if (!subjects.some((term) => said.message.has(term))) return null;
  const share = sharedFraction(subjects, said.all);
  return share >= groundedShareMin ? share : null;
}

/** True when two texts are about the same thing, so that one may replace the other. */
export function isRelated(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return false;
  const [less, more] = one.length < other.length ? [one, other] : [other, one];
  return sharedFraction(less, new Set(more)) >= relatedShareMin;
}

/** True when a message is about a memory and retracts something. */
export function isRetracted(
  memory: readonly string[],
  message: { text: string; terms: ReadonlySet<string> },
): boolean {
  if (memory.length === 0 || !retractionPattern.test(message.text)) return false;
  return sharedFraction(memory, message.terms) >= retractedShareMin;
}

function sharedFraction(terms: readonly string[], within: ReadonlySet<string>): number {
  return terms.filter((term) => within.has(term)).length / terms.length;
}

/** Words of negation, ending and retraction, in the most frequent languages. */
const retractionWords = {
  en:
    'no|not|never|dont|cannot|without|anymore|stop(?:ped|s)?|quit|ended|over|forget|delete|' +
    'remove|erase|wrong|false|untrue|cancell?ed|sold|lost|gave up|broke up',
  de: 'nicht|nie|kein\\p{L}*|vergiss|vergessen|lösch\\p{L}*|falsch|aufgehört|ohne',
  fr: "ne|n['’]\\p{L}+|pas|plus|jamais|oublie\\p{L}*|supprime\\p{L}*|efface\\p{L}*|faux|arrêté",
  es: 'no|nunca|olvida\\p{L}*|borra\\p{L}*|elimina\\p{L}*|falso|dejé',
  it: 'non|mai|dimentica\\p{L}*|cancella\\p{L}*|elimina\\p{L}*|falso|smesso',
  pt: 'não|nunca|esque\\p{L}*|apag\\p{L}*|remov\\p{L}*|falso|parei|deixei',
  nl: 'niet|geen|nooit|vergeet|verwijder\\p{L}*|gestopt',
  pl: 'nie|nigdy|zapomnij|usuń',
  ru: 'не|нет|никогда|забудь\\p{L}*|удали\\p{L}*|перестал\\p{L}*',
};

/** Scripts without spaces have no word boundaries. */
const spacelessRetractionWords =
  'ない|ません|やめ|忘れ|削除|違う|不|没|沒|别|忘|删|刪|错|錯|않|없|아니|잊|삭제';

const retractionAlternatives = `\\p{L}*n['’]t|${Object.values(retractionWords).join('|')}`;
const retractionPattern = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${retractionAlternatives})(?![\\p{L}\\p{M}])|${spacelessRetractionWords}`,
  'iu',
);

/**
 * Speakers may change their own statements: users those of users, an assistant its own, and each
 * of several people their own.
 */
export function mayChangeMemory({ role, name }: MessageChunk, memory: RelatedMemory): boolean {
  if (role !== 'user' && name === undefined) return memory.role === role;
  if (name === undefined || memory.speaker === null) return true;
  return name.toLowerCase() === memory.speaker.toLowerCase();
}

/** Detects texts that repeat a run of words of the system prompt. */
export function createEchoDetector(prompt: string): (text: string) => boolean {
  const runs = new Set(wordRuns(prompt));
  return (text) => wordRuns(text).some((run) => runs.has(run));
}

const echoWords = 8;

function wordRuns(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, Math.max(0, words.length - echoWords + 1))
    .map((_, start) => words.slice(start, start + echoWords).join(' '));
}
