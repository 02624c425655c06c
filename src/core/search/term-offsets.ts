/** Where a term stands next among index terms separated by spaces; -1 where it does not. */
export function termOffset(term: string, terms: string, from: number): number {
  let at = terms.indexOf(term, from);
  while (at !== -1 && !isWholeTerm(terms, at, at + term.length)) {
    at = terms.indexOf(term, at + term.length);
  }
  return at;
}

const space = 32;

function isWholeTerm(terms: string, start: number, end: number): boolean {
  const opens = start === 0 || terms.charCodeAt(start - 1) === space;
  return opens && (end === terms.length || terms.charCodeAt(end) === space);
}

export function holdsTerm(term: string, terms: string): boolean {
  return termOffset(term, terms, 0) !== -1;
}
