/**
 * The pieces of a text, by their numbers, and the share of its words that the vocabulary holds
 * whole, from 0 to 1: words of another language are cut into many pieces that mean nothing.
 */
export type TextPieces = { pieces: number[]; knownShare: number };

export type PieceReader = (text: string) => TextPieces;

/**
 * Word pieces as BERT has them (Wu et al. 2016; uncased): a text is lower-cased, its accents are
 * dropped, words and signs are told apart, and each word is cut into the longest pieces that the
 * vocabulary holds, from the left. A word of which some part is unknown has no pieces.
 */
export function createPieceReader(pieces: readonly string[]): PieceReader {
  let vocabulary: Vocabulary | null = null;

  return (text) => {
    // With the first text: most calls of a short-lived process have none to embed.
    vocabulary ??= indexPieces(pieces);
    const ids: number[] = [];
    const plain = text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}+/gu, '');
    let [words, wholeWords] = [0, 0];
    for (const [word] of plain.matchAll(wordOrSign)) {
      const cut = word.length <= wordMaxChars ? cutWord(vocabulary, word) : [];
      ids.push(...cut);
      if (!startsWord.test(word)) continue;
      words += 1;
      if (cut.length === 1) wholeWords += 1;
    }
    return { pieces: ids, knownShare: words === 0 ? 0 : wholeWords / words };
  };
}

/** The pieces that begin a word, and those that continue one. */
type Vocabulary = {
  starts: ReadonlyMap<string, number>;
  rests: ReadonlyMap<string, number>;
  longest: number;
};

function indexPieces(pieces: readonly string[]): Vocabulary {
  const starts = new Map<string, number>();
  const rests = new Map<string, number>();
  pieces.forEach((piece, index) => {
    if (piece.startsWith('##')) rests.set(piece.slice(2), index);
    else starts.set(piece, index);
  });
  const longest = pieces.reduce((longestYet, piece) => Math.max(longestYet, piece.length), 1);
  return { starts, rests, longest };
}

function cutWord({ starts, rests, longest }: Vocabulary, word: string): number[] {
  const ids: number[] = [];
  for (let from = 0; from < word.length; ) {
    const entries = from === 0 ? starts : rests;
    let end = Math.min(word.length, from + longest);
    while (end > from && !entries.has(word.slice(from, end))) end -= 1;
    const piece = entries.get(word.slice(from, end));
    if (piece === undefined || end === from) return [];
    ids.push(piece);
    from = end;
  }
  return ids;
}

/** A run of letters and digits, or one other character that is not a space. */
const wordOrSign = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}\p{C}]/gu;

const startsWord = /^[\p{L}\p{N}]/u;

/** BERT's limit for one word, which also bounds the work for each word. */
const wordMaxChars = 100;
