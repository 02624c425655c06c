import { wordsOf } from '../language/words.ts';
import {
  byLanguage,
  detectRuleLanguages,
  latinRuleLanguages,
  type RuleLanguage,
} from './languages/all-languages.ts';
import { splitSentences } from './sentences.ts';

/**
 * Whether a memory says one thing only, so that it may go as a whole: no list, no second clause,
 * nobody named by the way. In doubt false: "bread and butter" counts as two things.
 */
export function saysOneThing(memory: string): boolean {
  const text = memory.normalize('NFKC').trim();
  if (text === '' || text.length > oneThingMaxChars) return false;
  if (separator.test(text) || splitSentences(text).length > 1) return false;
  if (asideOfName.test(text) || roleAndPlace.test(text)) return false;
  if (spaceless.test(text)) return !spacelessJoiner.test(text);
  const words = wordsOf(text).flatMap((word) => word.split(/['’]/));
  return words.length <= oneThingMaxWords && !joins(words, languagesOf(text));
}

/** Longer texts say more than one thing, or with so much else that it must not be lost. */
const oneThingMaxChars = 160;
const oneThingMaxWords = 20;

/** What stands between parts of a sentence; a comma or colon inside a number does not. */
const separator =
  /(?<!\d)[,:](?!\/\/)|[,:](?![\d/])|[;|()[\]{}、。；…–—・](?=.)|\s[-/&+~]\s|\p{L}[/&]\p{L}|\n/u;

function languagesOf(text: string): readonly RuleLanguage[] {
  const found = detectRuleLanguages(text);
  return found.length === 0 ? latinRuleLanguages : found;
}

function joins(words: readonly string[], languages: readonly RuleLanguage[]): boolean {
  // What begins a sentence joins nothing: "ma" is "but" in Italian, and "my" in French.
  return words.slice(1).some((word, index) => {
    if (word === 'since') return !/^\d/.test(words[index + 2] ?? '');
    return alwaysJoining.has(word) || languages.some((one) => joiners[one].has(word));
  });
}

/** Join parts of a sentence, whatever language the rest seems to be in. */
const alwaysJoining = wordSet('and und et e y or oder ou but aber pero who which qui que che');

const joiners = byLanguage(({ clauses }) => wordSet(clauses.joiners));

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** "visits his sister Ana in Kiel" also says what she is called; the subject may be named. */
const asideOfName = new RegExp(
  '(?<=\\p{L} )(?:his|her|their|my|our|sein\\p{L}{0,2}|ihr\\p{L}{0,2}|mein\\p{L}{0,2}|' +
    'son|sa|ses|mon|ma|mes|su|sus|mi|mis|su[oa]|mi[oa]|seu|sua|meu|minha|сво\\p{L}{1,3}|' +
    'мо\\p{L}{1,3}) \\p{L}{2,20} \\p{Lu}',
  'u',
);

/** "works at Bosch as an engineer": where, and as what. */
const roleAndPlace = new RegExp(
  '(?<!\\p{L})(?:as|als|comme|como|come) .{2,60}? (?:in|at|for|bei|für|chez|pour|à|dans|en|para|' +
    'presso|per|em|na|no|nel|nella|a) |(?<!\\p{L})(?:in|at|for|bei|für|chez|pour|à|dans|en|para|' +
    'presso|per|em|na|no|nel|nella|a) .{2,60}? (?:as|als|comme|como|come) |' +
    '[でに].{2,40}として|として.{2,40}[でに]|在.{1,40}(?:当|當|担任|擔任|作为|作為|做)',
  'u',
);

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const spacelessJoiner = new RegExp(
  '(?<=[\\p{Script=Han}\\p{Script=Katakana}ー\\w])(?:と(?![いし言呼思])|や(?=[\\p{Script=Han}' +
    '\\p{Script=Katakana}]))|そして|しかし|または|および|また|[てで](?:い|お)(?:て|り)|くて|ので|' +
    'けど|ますが|ですが|ながら|だけでなく|で.{1,20}に住|[,，]|' +
    '[和与與及跟并並但而还還也又或]|因[为為]|所以|同[时時]|一起',
  'u',
);
