import { analyze, analyzeQuery } from '../memory/analyze.ts';

/** What a text is about: its telling terms, and those of them that change all by being absent. */
export type Gist = { terms: ReadonlySet<string>; telling: ReadonlySet<string> };

export function gistOf(text: string, speaker: string): Gist {
  const own = new Set(analyze(speaker));
  const terms = analyzeQuery(text).filter((term) => !own.has(term) && !fillers.has(term));
  const negated = text.match(negations) ?? [];
  const names = [...text.matchAll(named)].flatMap(([name]) => analyze(name));
  const telling = terms.filter((term) => /\d/.test(term) || opposites.has(term));
  // "No" and "not" are function words of a question, not of a fact.
  const marks = negated.length % 2 === 1 ? ['not'] : [];
  return {
    terms: new Set([...terms, ...marks]),
    telling: new Set([...telling, ...marks, ...names.filter((name) => !own.has(name))]),
  };
}

const negations = new RegExp(
  "(?<!\\p{L})(?:not?|never|none|without|\\p{L}+n['’]t|nicht|kein\\p{L}*|" +
    'nie|pas|jamais|plus|nunca|non|mai|não|не|нет)(?!\\p{L})|ない|ません|' +
    '不|没',
  'giu',
);
const named = /(?<=[\p{L}\p{N},;] )\p{Lu}\p{L}+/gu;

/** Words that add nothing. */
const fillers = new Set(
  analyze('really actually absolutely also still now pretty quite totally truly definitely'),
);

/** Words of which the other one says the contrary. */
const opposites = new Set(
  analyze(
    'love hate like dislike enjoy avoid start stop begin end quit buy sell join leave always ' +
      'never first last left right open close win lose accept decline increase decrease ' +
      'morning evening old new',
  ),
);

/**
 * How a text repeats another: `same` words in other order or form, `less` or `more` of them; null
 * where they differ in anything that tells, like a number, a name or a negation.
 */
export function repeats(text: Gist, known: Gist): 'same' | 'less' | 'more' | null {
  const added = without(text.terms, known.terms);
  const missing = without(known.terms, text.terms);
  if ([...added, ...missing].some((term) => text.telling.has(term) || known.telling.has(term))) {
    return null;
  }
  const common = text.terms.size - added.length;
  const union = common + added.length + missing.length;
  if (common < commonMin || common / union < likeness) return null;
  if (added.length === 0 && missing.length === 0) return 'same';
  if (added.length === 0) return 'less';
  return missing.length === 0 ? 'more' : null;
}

/** Below these, texts share words because they are short. */
const commonMin = 3;
const likeness = 0.7;

/** The share of what a text is about that another one is about as well. */
export function coverage(of: Gist, by: Gist): number {
  const terms = [...of.terms].filter((term) => term !== 'not');
  if (terms.length === 0) return 0;
  return terms.filter((term) => by.terms.has(term)).length / terms.length;
}

function without(terms: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...terms].filter((term) => !others.has(term));
}
