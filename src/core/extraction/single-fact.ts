import { wordsOf } from '../language/words.ts';
import {
  anyLanguage,
  byLanguage,
  likelyLanguages,
  type RuleLanguage,
  spacedRules,
  spacelessRules,
} from './languages/all-languages.ts';
import type { LanguageRules } from './languages/rules.ts';
import { splitSentences } from './sentences.ts';

/**
 * Whether a memory says one thing only, so that it may go as a whole: no list, no second clause,
 * nobody named in passing. In doubt false: "bread and butter" counts as two things.
 */
export function saysOneThing(memory: string): boolean {
  const text = memory.normalize('NFKC').trim();
  if (text === '' || text.length > oneThingMaxChars) return false;
  if (separator.test(text) || splitSentences(text).length > 1) return false;
  if (asideOfName.test(text) || roleAndPlace.test(text)) return false;
  if (spaceless.test(text)) return !spacelessJoiner.test(text);
  const words = wordsOf(text).flatMap((word) => word.split(/['’]/));
  return words.length <= oneThingMaxWords && !joins(words, likelyLanguages(text));
}

/** Longer texts say more than one thing, or with so much else that it must not be lost. */
const oneThingMaxChars = 160;
const oneThingMaxWords = 20;

/** Separates the parts of a sentence; a comma or colon inside a number does not. */
const separator =
  /(?<!\d)[,:](?!\/\/)|[,:](?![\d/])|[;|()[\]{}、。；…–—・](?=.)|\s[-/&+~]\s|\p{L}[/&]\p{L}|\n/u;

function joins(words: readonly string[], languages: readonly RuleLanguage[]): boolean {
  // The first word joins nothing: "ma" is "but" in Italian, and "my" in French.
  return words.slice(1).some((word, index) => {
    const isJoining = alwaysJoining.test(`${word} ${words[index + 2] ?? ''}`);
    return isJoining || languages.some((one) => joiners[one].has(word));
  });
}

const joining = (among: readonly LanguageRules[]) =>
  anyLanguage(({ sentences }) => sentences.joining, among);
const alwaysJoining = new RegExp(`^(?:${joining(spacedRules)}) `, 'u');

const joiners = byLanguage(({ clauses }) => wordSet(clauses.joiners));

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** "visits his sister Ana in Kiel" also says what she is called; the subject may be named. */
const possessives = anyLanguage(({ sentences }) => sentences.possessives);
const asideOfName = new RegExp(`(?<=\\p{L} )(?:${possessives}) \\p{L}{2,20} \\p{Lu}`, 'u');

/** "works at Bosch as an engineer": where, and as what. */
const role = `(?:${anyLanguage(({ sentences }) => sentences.role)})`;
const places = `(?:${anyLanguage(({ sentences }) => sentences.places)})`;
const roleAndPlace = new RegExp(
  `(?<!\\p{L})(?:${role} .{2,60}? ${places}|${places} .{2,60}? ${role}) |` +
    anyLanguage(({ sentences }) => sentences.rolePlace),
  'u',
);

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const spacelessJoiner = new RegExp(`[,，]|${joining(spacelessRules)}`, 'u');
