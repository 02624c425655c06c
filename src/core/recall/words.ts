/** Where a term stands among index terms separated by spaces: offsets of its first character. */
export function offsetsOf(term: string, terms: string): number[] {
  const offsets: number[] = [];
  let at = terms.indexOf(term);
  while (at !== -1) {
    if (isWhole(terms, at, at + term.length)) offsets.push(at);
    at = terms.indexOf(term, at + term.length);
  }
  return offsets;
}

const space = 32;

function isWhole(terms: string, start: number, end: number): boolean {
  const opens = start === 0 || terms.charCodeAt(start - 1) === space;
  return opens && (end === terms.length || terms.charCodeAt(end) === space);
}

export function holdsTerm(term: string, terms: string): boolean {
  let at = terms.indexOf(term);
  while (at !== -1) {
    if (isWhole(terms, at, at + term.length)) return true;
    at = terms.indexOf(term, at + term.length);
  }
  return false;
}
