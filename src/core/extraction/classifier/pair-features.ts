import { analyze } from '../../language/analyze.ts';
import { functionWords } from '../../language/function-words.ts';
import { englishStemmers, stemsByWord } from '../../language/stems.ts';
import { foldWord } from '../../language/words.ts';
import { cosineSimilarity } from '../../search/semantic/vector-scale.ts';
import { anyLanguage, spacelessRules } from '../languages/all-languages.ts';
import { isUserWord } from '../languages/user-words.ts';
import { bucketsOf, type ClassifierToken, classifierTokens, gramsOf } from './hashing.ts';
import { areSameKind, findPairConcepts } from './pair-concepts.ts';

/** A power of two. */
export const pairBuckets = 1 << 14;

/** What a stored fact and a new statement have in common. */
export type ComparedPair = {
  fact: PairText;
  statement: PairText;
  /** The words of both that the other has too. */
  sharedWords: ReadonlySet<string>;
  /** Those with one of near meaning in the other. */
  nearWords: ReadonlySet<string>;
  sharesAny: boolean;
  /** The share of the fact's words that the statement has too, from 0 to 1, and the reverse. */
  sharedShare: number;
  sharedBack: number;
  /** The statement without what the two share: "hung up the" of "hung up the foil". */
  readonly cue: string;
  /** Whether the two share a word that is no number, or have words of near meaning. */
  isComparable: boolean;
};

/** The vector of a word, of length 1; null if it is not known. */
export type EmbedWord = (word: string) => Float32Array | null;

/** Finds what the two share: for most pairs enough to tell that they are about two things. */
export function comparePair(fact: PairText, statement: PairText, embed: EmbedWord): ComparedPair {
  const shared = new Set([...fact.terms].filter((term) => statement.terms.has(term)));
  const characters = sharedCharacters(fact, statement);
  const sharedWords = new Set(characters);
  if (shared.size > 0) {
    for (const { stems } of [fact, statement]) {
      for (const [word, own] of stems)
        if (own.some((one) => shared.has(one))) sharedWords.add(word);
    }
  }
  const nearWords = findNearWords(fact, statement, { sharedWords, embed });
  return {
    fact,
    statement,
    sharedWords,
    nearWords,
    sharesAny: shared.size > 0 || characters.size > 0,
    sharedShare: fact.terms.size === 0 ? 0 : shared.size / fact.terms.size,
    sharedBack: shared.size / (statement.terms.size || 1),
    get cue() {
      const own = statement.tokens.filter(({ word }) => !sharedWords.has(word));
      return own.map(({ word }) => word).join(' ');
    },
    // "Room 4" and "4 children" share a number, and are about two things.
    isComparable:
      characters.size > 0 ||
      nearWords.size > 0 ||
      [...shared].some((term) => /\p{L}/u.test(term)) ||
      isMove(fact, statement),
  };
}

/** Whether one tells where somebody lives, and the other of a move: they need share no word. */
export function isMove(fact: PairText, statement: PairText): boolean {
  return statement.concepts().includes('rehomed') && fact.concepts().includes('lives');
}

/**
 * The features of a stored fact and a new statement: how the words stand around those that the two
 * share. The shared ones are left open, so that "no more fencing" and "no more sugar" are the same.
 */
export function pairFeatures(pair: ComparedPair): Set<number> {
  const { fact, statement, sharedShare, sharedWords } = pair;
  const names: string[] = [];
  const add = (name: string) => names.push(name);
  const [before, after] = [openShared(fact.tokens, pair), openShared(statement.tokens, pair)];
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
  const [there, back] = [quarterOf(sharedShare), quarterOf(pair.sharedBack)];
  add(`share ${there}`);
  add(`back ${back}`);
  add(`share ${there} ${back}`);
  add(`any ${pair.sharesAny} ${pair.nearWords.size > 0}`);
  add(`name ${fact.tokens.some(({ token, word }) => token === 'Name' && sharedWords.has(word))}`);
  const [numbers, others] = [numbersOf(fact.tokens), numbersOf(statement.tokens)];
  const isSame = numbers.some((one) => others.includes(one));
  add(`numbers ${numbers.length > 0} ${others.length > 0} ${isSame} ${sharedShare > 0}`);
  names.push(...conceptNames(statement.concepts(), sharedShare));
  names.push(...changeNames(pair));
  return bucketsOf(names, pairBuckets);
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

/** What a fact is about, with what the statement says of change: "likes" and "dislikes". */
function changeNames({ fact, statement, sharesAny }: ComparedPair): string[] {
  const said = ['', ...statement.concepts()];
  return ['', ...fact.concepts()].flatMap((one) =>
    said.map((other) => `change ${one} ${other} ${sharesAny}`),
  );
}

/** What stands for the words that both have, and for those of near meaning. */
const sharedMark = 'X';
const nearMark = 'Y';

/** Words such as "biology" and "geology", "nursery" and "school" are this near, few others are. */
const nearMin = 0.45;

type NearContext = { sharedWords: ReadonlySet<string>; embed: EmbedWord };

/** The words of both texts that have one of near meaning in the other. */
function findNearWords(
  fact: PairText,
  statement: PairText,
  { sharedWords, embed }: NearContext,
): Set<string> {
  const vectorsOf = ({ telling }: PairText) => {
    const own = telling.filter((word) => !sharedWords.has(word)).slice(0, nearWordsMax);
    return [...new Set(own)].map((word) => {
      const name = word.toLowerCase();
      return { word, name, vector: embed(name) };
    });
  };
  const before = vectorsOf(fact);
  const after = before.length === 0 ? [] : vectorsOf(statement);
  const near = new Set<string>();
  for (const one of before) {
    for (const other of after) {
      if (near.has(one.word) && near.has(other.word)) continue;
      if (!isNearWord(one, other)) continue;
      near.add(one.word);
      near.add(other.word);
    }
  }
  return near;
}

type NearCandidate = { name: string; vector: Float32Array | null };

function isNearWord(one: NearCandidate, other: NearCandidate): boolean {
  if (areSameKind(one.name, other.name)) return true;
  if (one.vector === null || other.vector === null) return false;
  return cosineSimilarity(one.vector, other.vector) >= nearMin;
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
  /** The words whose meaning is compared, in order. */
  telling: readonly string[];
  /** What it says of change, and what it is about. */
  concepts: () => readonly string[];
};

export function readPairText(text: string): PairText {
  const tokens = classifierTokens(text);
  const words = [...new Set(tokens.map(({ word }) => word))];
  const stems = stemsOfWords(words);
  const contents = new Set(words.filter(isContent));
  const counted = [...contents].filter((word) => !spaceless.test(word));
  let concepts: readonly string[] | null = null;
  return {
    text,
    tokens,
    stems,
    terms: new Set(counted.flatMap((word) => stems.get(word) ?? [])),
    telling: tokens.flatMap(({ token, word }) =>
      token !== '#' && word.length > 2 && contents.has(word) ? [word] : [],
    ),
    concepts: () => {
      concepts ??= findPairConcepts(text);
      return concepts;
    },
  };
}

function isContent(word: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(word) || isUserWord(word)) return false;
  return !functionWords.has(foldWord(word)) && !politeWords.has(word.toLowerCase());
}

const politeWords = new Set(anyLanguage(({ changes }) => changes.polite).split('|'));

/** Plain words are stemmed together: reading each as a text takes several times as long. */
function stemsOfWords(words: readonly string[]): Map<string, readonly string[]> {
  const bare = words.map((word) => word.replace(/'s$/, ''));
  const plain = bare.filter((word) => plainWord.test(word)).map((word) => word.toLowerCase());
  const known = stemsByWord(plain, englishStemmers);
  return new Map(
    words.map((word, at) => {
      const own = bare[at] ?? '';
      return [word, (plainWord.test(own) && known.get(own.toLowerCase())) || analyze(own)];
    }),
  );
}

/** As it is one word for every reader. */
const plainWord = /^[a-z]{1,64}$/i;

const spaceless = /[\u3040-\u30ff\u3400-\u9fff]/u;

const spacelessUser = new RegExp(
  anyLanguage(({ forgetting }) => forgetting.user, spacelessRules),
  'gu',
);

/** The characters of scripts without spaces that stand in pairs that both texts have. */
function sharedCharacters({ text: fact }: PairText, { text: statement }: PairText): Set<string> {
  if (!spaceless.test(fact) || !spaceless.test(statement)) return new Set();
  const pairs = new Set(pairsOf(fact.replace(spacelessUser, ' ')));
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
  { sharedWords, nearWords }: ComparedPair,
): string[] {
  const open = tokens.map(({ token, word }) =>
    sharedWords.has(word) ? sharedMark : nearWords.has(word) ? nearMark : token,
  );
  return open.filter((token, at) => !(token === sharedMark && open[at - 1] === sharedMark));
}
