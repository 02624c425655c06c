/**
 * Sources as alternatives of one pattern, each once: languages share words, and a pattern that
 * repeats "a|a" tries all the ways to read "a a a a". There may be none.
 */
export function eachOnce(...sources: readonly (string | undefined)[]): string {
  const all = sources.flatMap((source) => alternativesOf(source ?? ''));
  return [...new Set(all)].filter((one) => one !== '').join('|');
}

/** Splits a source at each `|` that is outside all groups. */
function alternativesOf(source: string): string[] {
  const alternatives = [''];
  let depth = 0;
  for (const character of source) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === '|' && depth === 0) alternatives.push('');
    else alternatives.push((alternatives.pop() ?? '') + character);
  }
  return alternatives;
}
