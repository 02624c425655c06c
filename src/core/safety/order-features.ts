import { bucketOf, classifierTokens, hashOf } from '../classifier/hashing.ts';
import { findConcepts } from './order-concepts.ts';

/** A power of two. */
export const orderBuckets = 1 << 16;

/**
 * The features of a few sentences: words, words near each other, parts of words, and the concepts
 * that they name together.
 */
export function orderFeatures(text: string): Set<number> {
  const tokens = classifierTokens(withoutAddresses(text)).map(({ token, word }) =>
    // Most sentences of a window do not begin it, so a capital does not tell a name.
    token === '#' ? token : word.toLowerCase(),
  );
  const hashes = [...hashGrams(tokens, 3), ...hashNeighbours(tokens)];
  for (const token of new Set(tokens)) hashes.push(...hashParts(token));
  const others = [
    ...combinationsOf(findConcepts(text)),
    `first ${[...tokens, '>'].slice(0, 2).join(' ')}`,
    `length ${Math.round(Math.log2(1 + tokens.length))}`,
  ];
  for (const name of others) hashes.push(hashOf(name));
  return new Set(hashes.map((hash) => bucketOf(hash, orderBuckets)));
}

/** Runs of one to `longest` tokens; a longer one goes on from the hash of a shorter one. */
function hashGrams(tokens: readonly string[], longest: number): number[] {
  const padded = ['<', ...tokens, '>'];
  let grams = padded.map((token) => hashOf(token, hashOf('w ')));
  const features = [...grams];
  for (let more = 1; more < longest; more += 1) {
    grams = padded.slice(more).map((token, at) => hashOf(token, hashOf(' ', grams[at])));
    features.push(...grams);
  }
  return features;
}

/** Each token with those two to four further on. */
function hashNeighbours(tokens: readonly string[]): number[] {
  const hashes: number[] = [];
  for (const [at, token] of tokens.entries()) {
    const one = hashOf(' ', hashOf(token, hashOf('near ')));
    for (const other of tokens.slice(at + 2, at + 5)) hashes.push(hashOf(other, one));
  }
  return hashes;
}

/** Four letters each of a word of five and more. */
function hashParts(token: string): number[] {
  if (token.length < 5) return [];
  const word = `<${token.slice(0, 24)}>`;
  const hashes: number[] = [];
  for (let at = 0; at + 4 <= word.length; at += 1) {
    hashes.push(hashOf(word.slice(at, at + 4), hashOf('c ')));
  }
  return hashes;
}

/** One, two or three of the concepts, and how many there are. */
function combinationsOf(concepts: readonly string[]): string[] {
  const combinations: string[] = [];
  for (const [at, one] of concepts.entries()) {
    combinations.push(`concepts ${one}`);
    for (const [next, other] of concepts.slice(at + 1).entries()) {
      combinations.push(`concepts ${one} ${other}`);
      for (const third of concepts.slice(at + next + 2))
        combinations.push(`concepts ${one} ${other} ${third}`);
    }
  }
  return [...combinations, `concepts ${Math.min(concepts.length, 6)}`];
}

/** Which address it is says nothing, but whether it takes data along does. */
function withoutAddresses(text: string): string {
  return text
    .replace(/https?:\/\/[^\s"'<>)]{1,2000}/g, (url) => {
      const query = url.indexOf('?');
      if (query < 0) return ' webaddress ';
      return /[{[<]|%7B/i.test(url.slice(query)) || url.endsWith('=')
        ? ' webaddress webquery webslot '
        : ' webaddress webquery ';
    })
    .replace(/[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}/g, ' mailaddress ')
    .replace(/[A-Za-z0-9+/_-]{24,}={0,2}/g, ' longcode ');
}

/**
 * The parts of a text that are judged: some sentences each, and each with the end of the one
 * before.
 */
export function orderWindows(text: string): string[] {
  if (text.length <= windowChars) return [text];
  const pieces = text.match(piecePattern) ?? [];
  const windows: string[] = [];
  let open: string[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (size > 0 && size + piece.length > windowChars) {
      windows.push(open.join(''));
      const last = open.at(-1) ?? '';
      open = last.length + piece.length <= windowChars ? [last] : [];
      size = open.length === 0 ? 0 : last.length;
    }
    open.push(piece);
    size += piece.length;
  }
  if (open.length > 0) windows.push(open.join(''));
  return windows;
}

/** About two sentences. */
const windowChars = 160;

/** A sentence or a line, with the mark that ends it; long ones are cut. */
const piecePattern =
  /[^\n.!?。！？]{0,230}(?:[.!?。！？]{1,9}["'”’)\]]{0,2}\s{0,2}|\n|(?<=[^\n.!?。！？]))/gu;
