import { analyze } from '../../language/analyze.ts';
import { functionWords } from '../../language/function-words.ts';
import { foldWord } from '../../language/words.ts';
import { cosineSimilarity } from '../../search/semantic/vector-scale.ts';
import { bucketsOf, type ClassifierToken, classifierTokens, gramsOf } from './hashing.ts';
import { findPairConcepts } from './pair-concepts.ts';

/** A power of two. */
export const pairBuckets = 1 << 14;

/** A stored fact and a new statement, as the classifier sees them. */
export type PairInput = {
  features: Set<number>;
  /** The statement without what the two share: "hung up the" of "hung up the foil". */
  cue: string;
  /** The share of the fact's words that the statement has too, from 0 to 1. */
  sharedShare: number;
  /** Whether the two share a word that is no number, or have words of near meaning. */
  isComparable: boolean;
};

/** The vector of a word, of length 1; null if it is not known. */
export type EmbedWord = (word: string) => Float32Array | null;

/**
 * The features of a stored fact and a new statement: how the words stand around those that the two
 * share. The shared ones are left open, so that "no more fencing" and "no more sugar" are the same.
 */
export function pairFeatures(fact: PairText, statement: PairText, embed: EmbedWord): PairInput {
  const names: string[] = [];
  const add = (name: string) => names.push(name);
  const [old, said] = [fact.tokens, statement.tokens];
  const [oldTerms, saidTerms] = [fact.terms, statement.terms];
  const shared = new Set([...oldTerms].filter((term) => saidTerms.has(term)));
  const stemsOf = (word: string) => fact.stems.get(word) ?? statement.stems.get(word) ?? [];
  const characters = sharedCharacters(fact.text, statement.text);
  const both = new Set([...old, ...said].map(({ word }) => word));
  const sharedWords = new Set(
    [...both].filter(
      (word) => characters.has(word) || stemsOf(word).some((one) => shared.has(one)),
    ),
  );
  const isShared = ({ word }: ClassifierToken) => sharedWords.has(word);
  const near = nearWords(old, said, { isShared, embed });
  const open = (tokens: readonly ClassifierToken[]) =>
    openShared(tokens, (one) =>
      isShared(one) ? sharedMark : near.has(one.word) ? nearMark : null,
    );
  const [before, after] = [open(old), open(said)];
  for (const gram of gramsOf(after, 3)) add(`${/[XY]/.test(gram) ? 'around' : 'said'} ${gram}`);
  const place = after.findIndex((token) => token === sharedMark || token === nearMark);
  if (place >= 0) {
    for (const token of after.slice(Math.max(0, place - nearTokens), place + nearTokens + 1))
      add(`near ${token}`);
  }
  for (const gram of gramsOf(before, 2)) add(`fact ${gram}`);
  const words = after.filter((token) => /\p{L}/u.test(token)).slice(0, 2);
  add(`first ${words[0] ?? ''}`);
  add(`start ${words.join(' ')}`);
  const sharedShare = oldTerms.size === 0 ? 0 : shared.size / oldTerms.size;
  const [there, back] = [quarterOf(sharedShare), quarterOf(shared.size / (saidTerms.size || 1))];
  add(`share ${there}`);
  add(`back ${back}`);
  add(`share ${there} ${back}`);
  add(`any ${shared.size > 0 || characters.size > 0} ${near.size > 0}`);
  add(`name ${old.some((one) => one.token === 'Name' && isShared(one))}`);
  const [numbers, others] = [numbersOf(old), numbersOf(said)];
  const isSame = numbers.some((one) => others.includes(one));
  add(`numbers ${numbers.length > 0} ${others.length > 0} ${isSame} ${sharedShare > 0}`);
  names.push(...conceptNames(findPairConcepts(statement.text), sharedShare));
  const cue = said.filter((one) => !isShared(one)).map(({ word }) => word);
  // "Room 4" and "4 children" share a number, and are about two things.
  const isComparable =
    characters.size > 0 || near.size > 0 || [...shared].some((term) => /\p{L}/u.test(term));
  const features = bucketsOf(names, pairBuckets);
  return { features, cue: cue.join(' '), sharedShare, isComparable };
}

/** One or two concepts of a statement, and with how much it shares of the fact. */
function conceptNames(concepts: readonly string[], sharedShare: number): string[] {
  const pairs = concepts.flatMap((one, at) =>
    concepts.slice(at + 1).map((other) => `concepts ${one} ${other}`),
  );
  const share = quarterOf(sharedShare);
  const single = concepts.flatMap((one) => [`concept ${one}`, `concept ${one} ${share}`]);
  return concepts.length === 0 ? ['concept'] : [...single, ...pairs];
}

/** What stands for the words that both have, and for those of near meaning. */
const sharedMark = 'X';
const nearMark = 'Y';

/** Words such as "biology" and "geology", "nursery" and "school" are this near, few others are. */
const nearMin = 0.45;

type NearContext = { isShared(token: ClassifierToken): boolean; embed: EmbedWord };

/** The words of both texts that have one of near meaning in the other. */
function nearWords(
  old: readonly ClassifierToken[],
  said: readonly ClassifierToken[],
  { isShared, embed }: NearContext,
): Set<string> {
  const vectorsOf = (tokens: readonly ClassifierToken[]) =>
    tokens
      .filter(
        (one) => one.token !== '#' && one.word.length > 2 && isContent(one.word) && !isShared(one),
      )
      .slice(0, nearWordsMax)
      .flatMap(({ word }) => {
        const vector = embed(word.toLowerCase());
        return vector === null ? [] : [{ word, vector }];
      });
  const [before, after] = [vectorsOf(old), vectorsOf(said)];
  const near = new Set<string>();
  for (const one of before) {
    for (const other of after) {
      if (cosineSimilarity(one.vector, other.vector) < nearMin) continue;
      near.add(one.word);
      near.add(other.word);
    }
  }
  return near;
}

/** Facts and statements are a sentence long; this bounds the pairs of their words. */
const nearWordsMax = 24;

/** What stands this near to the shared words says more than the rest. */
const nearTokens = 5;

function quarterOf(share: number): number {
  return Math.round(share * 4);
}

function numbersOf(tokens: readonly ClassifierToken[]): string[] {
  return tokens.filter(({ token }) => token === '#').map(({ word }) => word);
}

/** A fact or a statement, read once for all pairs that it stands in. */
export type PairText = {
  text: string;
  tokens: readonly ClassifierToken[];
  /** Of each of its words. */
  stems: ReadonlyMap<string, readonly string[]>;
  terms: ReadonlySet<string>;
};

export function readPairText(text: string): PairText {
  const tokens = classifierTokens(text);
  const words = [...new Set(tokens.map(({ word }) => word))];
  const stems = new Map(words.map((word) => [word, stemsOf(word)]));
  const counted = words.filter((word) => isContent(word) && !spaceless.test(word));
  return { text, tokens, stems, terms: new Set(counted.flatMap((word) => stems.get(word) ?? [])) };
}

function isContent(word: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(word) || userWords.test(word)) return false;
  return !functionWords.has(foldWord(word));
}

/** How notes name the user. */
const userWords =
  /^(?:user(?:'s)?|(?:be)?nutzer(?:in)?s?|utilisat(?:eur|rice)|usuari[oa]|utente|usuári[oa]|пользовател\p{L}*)$/iu;

function stemsOf(word: string): string[] {
  return analyze(word.replace(/'s$/, ''));
}

const spaceless = /[\u3040-\u30ff\u3400-\u9fff]/u;

/** The characters of scripts without spaces that stand in pairs that both texts have. */
function sharedCharacters(fact: string, statement: string): Set<string> {
  if (!spaceless.test(fact) || !spaceless.test(statement)) return new Set();
  const pairs = new Set(pairsOf(fact.replace(/ユーザー|用[户戶]/gu, ' ')));
  const shared = pairsOf(statement).filter((pair) => pairs.has(pair));
  return new Set(shared.flatMap((pair) => [...pair]));
}

/** Pairs that hold more than grammar: Chinese characters or katakana. */
function pairsOf(text: string): string[] {
  const chars = [...text];
  return chars
    .map((char, index) => char + (chars[index + 1] ?? ''))
    .filter((pair) => /^[\u3040-\u30ff\u3400-\u9fff]{2}$/u.test(pair))
    .filter((pair) => /[\u30a0-\u30ff\u3400-\u9fff]/u.test(pair));
}

function openShared(
  tokens: readonly ClassifierToken[],
  markOf: (token: ClassifierToken) => string | null,
): string[] {
  const open = tokens.map((one) => markOf(one) ?? one.token);
  return open.filter((token, at) => !(token === sharedMark && open[at - 1] === sharedMark));
}
