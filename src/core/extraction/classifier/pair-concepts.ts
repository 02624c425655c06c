import { anyLanguage } from '../languages/all-languages.ts';
import { eachOnce } from '../languages/alternatives.ts';
import { type ChangeWords, changeConcepts, changeSigns } from '../languages/change-words.ts';

function patternOf(words: string, flags: string): RegExp {
  // A space at the end of a word stands for its end; scripts without spaces know no beginnings.
  const starts = words.replaceAll(/ (?=\||$)/g, '(?!\\p{L})');
  const start = '(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])';
  return new RegExp(`${start}(?:${starts})`, flags);
}

/** What the English pairs teach of "stopped" serves the other languages too. */
function wordsFor(...signs: readonly (keyof ChangeWords)[]): string {
  return anyLanguage(({ changes }) => eachOnce(...signs.map((sign) => changes[sign])));
}

const concepts = changeConcepts.map((name) => {
  return { name, pattern: patternOf(wordsFor(name), 'iu') };
});

const dislikes = patternOf(wordsFor('dislikes'), 'giu');

const anySign = patternOf(wordsFor(...changeSigns), 'iu');

/** Whether a statement says that something is no longer so, or was wrong. */
export function saysChange(text: string): boolean {
  return anySign.test(text);
}

/** What a statement says of change, in the order of the table. */
export function findPairConcepts(text: string): string[] {
  // "Don't like" is no liking.
  const liked = text.replaceAll(dislikes, ' ');
  return concepts
    .filter(({ name, pattern }) => pattern.test(name === 'likes' ? liked : text))
    .map(({ name }) => name);
}

/** Makes of one kind of thing, of which most people have one: their vectors are not near. */
const makes: readonly string[] = [
  'android fairphone galaxy honor huawei iphone motorola nokia oneplus pixel samsung xiaomi',
  'asus chromebook dell lenovo imac macbook thinkpad',
  'chrome chromium firefox safari vivaldi',
  'debian fedora linux macos ubuntu windows',
];

const kindsOfMakes = new Map(
  makes.flatMap((names, kind) => names.split(' ').map((name) => [name, kind])),
);

/** Whether two words in lower case are makes of one kind of thing, such as of phones. */
export function areSameKind(one: string, other: string): boolean {
  const kind = kindOfMake(one);
  return kind !== undefined && kind === kindOfMake(other);
}

/** "iPhone's" and "l'iPhone" are one. */
function kindOfMake(word: string): number | undefined {
  return kindsOfMakes.get(word.replace(/^\p{L}'|'s$/u, ''));
}
