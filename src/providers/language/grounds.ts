import type { RelatedMemory } from '../../core/ports/index.ts';
import type { Piece } from './prompt.ts';

/** Index terms of texts: all of them, and those that say what a text is about. */
export type Terms = { all(text: string): string[]; telling(text: string): string[] };

/** How much of a memory has to be found in what was said, and in what it takes the place of. */
const groundedShare = 0.5;
const relatedShare = 1 / 3;
const retractedShare = 0.5;

/** What a text is about, without whom it is about: that is the same in all memories. */
export function subjectsOf(text: string, terms: Terms, people: ReadonlySet<string>): string[] {
  return terms.telling(text.replace(dates, ' ')).filter((term) => !people.has(term));
}

/** Dates are worked out, so they need not have been said. */
const dates = /\b\d{4}-\d\d(?:-\d\d)?(?:T[\d:.]+Z?)?\b|\b(?:19|20)\d\d\b/g;

/** True when what a text tells is found in what was said, and something of it in the message. */
export function isGrounded(
  subjects: readonly string[],
  said: { message: ReadonlySet<string>; all: ReadonlySet<string> },
): boolean {
  if (!subjects.some((term) => said.message.has(term))) return false;
  return shareOf(subjects, said.all) >= groundedShare;
}

/** True when two texts tell of the same, so that one may take the other's place. */
export function isRelated(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return false;
  const [less, more] = one.length < other.length ? [one, other] : [other, one];
  return shareOf(less, new Set(more)) >= relatedShare;
}

/** True when a message speaks of a memory and takes something back. */
export function isRetracted(
  memory: readonly string[],
  message: { text: string; terms: ReadonlySet<string> },
): boolean {
  if (memory.length === 0 || !retraction.test(message.text)) return false;
  return shareOf(memory, message.terms) >= retractedShare;
}

function shareOf(terms: readonly string[], within: ReadonlySet<string>): number {
  return terms.filter((term) => within.has(term)).length / terms.length;
}

/** Words with which people deny, end or take back, in the languages that most memories are in. */
const retractions = {
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

/** Scripts without spaces have no borders of words to look for. */
const spacelessRetractions =
  'ない|ません|やめ|忘れ|削除|違う|不|没|沒|别|忘|删|刪|错|錯|않|없|아니|잊|삭제';

const retractionWord = `\\p{L}*n['’]t|${Object.values(retractions).join('|')}`;
const retraction = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${retractionWord})(?![\\p{L}\\p{M}])|${spacelessRetractions}`,
  'iu',
);

/**
 * Who said something may change it: people what people said, an assistant or a tool what it said
 * itself, and of several people each his own.
 */
export function mayChange({ role, name }: Piece, memory: RelatedMemory): boolean {
  if (role !== 'user' && name === undefined) return memory.role === role;
  if (name === undefined || memory.speaker === null) return true;
  return name.toLowerCase() === memory.speaker.toLowerCase();
}

/** Runs of words of the system prompt: a text that holds one gives it away. */
export function createEchoTest(prompt: string): (text: string) => boolean {
  const runs = new Set(runsOf(prompt));
  return (text) => runsOf(text).some((run) => runs.has(run));
}

const runWords = 8;

function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, Math.max(0, words.length - runWords + 1))
    .map((_, start) => words.slice(start, start + runWords).join(' '));
}
