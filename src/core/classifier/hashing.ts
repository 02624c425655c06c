/** The buckets of features, by their names; there is a power of two of them. */
export function bucketsOf(names: readonly string[], buckets: number): Set<number> {
  return new Set(names.map((name) => bucketOf(hashOf(name), buckets)));
}

/** The hash of a name (FNV-1a), or of one that begins with what has the hash `before`. */
export function hashOf(name: string, before = 0x811c9dc5): number {
  let value = before;
  for (let at = 0; at < name.length; at += 1) {
    value = Math.imul(value ^ name.charCodeAt(at), 0x01000193);
  }
  return value;
}

export function bucketOf(hash: number, buckets: number): number {
  return (hash ^ (hash >>> 15)) & (buckets - 1);
}

/** A word, and what stands for it in features. */
export type ClassifierToken = { token: string; word: string };

/**
 * The tokens of a text in lower case: words, characters of scripts without spaces, and marks.
 * Numbers and names within a sentence stand for their kind, because which one says nothing.
 */
export function classifierTokens(text: string): ClassifierToken[] {
  // Also makes full-width marks and digits plain ones.
  const plain = text.normalize('NFKC').replaceAll('’', "'");
  return [...plain.matchAll(tokenPattern)].map(({ 0: word, index }) => {
    if (/^\p{N}/u.test(word)) return { token: '#', word };
    const isName = index > 0 && /^\p{Lu}\p{Ll}/u.test(word);
    return { token: isName ? 'Name' : word.toLowerCase(), word };
  });
}

/** Runs of one to `longest` tokens; `<` and `>` stand for the beginning and the end. */
export function gramsOf(tokens: readonly string[], longest: number): string[] {
  const padded = ['<', ...tokens, '>'];
  const grams: string[] = [];
  for (let size = 1; size <= longest; size += 1) {
    for (let at = 0; at + size <= padded.length; at += 1)
      grams.push(padded.slice(at, at + size).join(' '));
  }
  return grams;
}

const tokenPattern =
  /\p{N}[\p{N}.,:]*\p{L}*|[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])[\p{L}\p{M}])+(?:'\p{L}+)?|[^\s\p{L}\p{N}]/gu;
