import type { QueryLanguages } from '../../language/resolve-languages.ts';
import type { Candidate, QueryTerm } from '../../ports/index.ts';
import type { CandidateScope } from '../candidates.ts';
import type { ParsedQuery } from '../query/query.ts';
import { holdsTerm } from '../rank/passages.ts';
import { namesIn, termsOfWord, textOfNames } from './names.ts';

/**
 * A question without the words that nearly all memories of the scope hold, such as the name of the
 * person whose memories they are: like "the user", they tell nothing apart. It stays as it is where
 * it has no other word, for turns of a conversation, which are told apart by who speaks, and in a
 * scope of so few memories that it says nothing. `limit` is how many are found at most.
 */
export async function setCommonAside(
  within: CandidateScope,
  { question, found }: { question: ParsedQuery; found: readonly Candidate[] },
  asked: AskedInWords,
): Promise<{ question: ParsedQuery; common: string }> {
  const { terms } = question;
  const common = await findCommonTerms(within, terms, { ...asked, found });
  if (common.length === 0) return { question, common: '' };
  const telling = terms.filter((term) => !common.includes(term));
  return {
    question: { ...question, terms: telling },
    common: wordsOfTerms(asked, common),
  };
}

type AskedInWords = { query: string; reading: QueryLanguages; limit: number };

async function findCommonTerms(
  { tables, project, selection, size }: CandidateScope,
  terms: readonly QueryTerm[],
  { query, reading, found, limit }: AskedInWords & { found: readonly Candidate[] },
): Promise<readonly QueryTerm[]> {
  if (size < scopeMin || terms.length < 2) return [];
  const isCounted = found.length < limit;
  // Where more hold the words than were found, others are read to see: for names alone.
  const names = isCounted ? terms : namesAmong(terms, query, reading);
  if (names.length === 0) return [];
  const frequent = termsOfMost(terms, found, isCounted ? size : found.length);
  if (frequent.length === 0 || frequent.length === terms.length) return [];
  if (isCounted) return frequent;
  const frequentNames = frequent.filter((term) => names.includes(term));
  if (frequentNames.length === 0) return [];
  // The newest stand for all.
  const sample = { ...allTime, limit: sampleSize };
  const newest = await tables.memories.listNewest(project, selection, sample);
  return termsOfMost(frequentNames, newest, newest.length);
}

function namesAmong(
  terms: readonly QueryTerm[],
  query: string,
  reading: QueryLanguages,
): readonly QueryTerm[] {
  const named = new Set(namesIn(query, reading).flatMap(({ forms }) => forms));
  return terms.filter((forms) => forms.some((form) => named.has(form)));
}

function termsOfMost(
  terms: readonly QueryTerm[],
  memories: readonly Candidate[],
  size: number,
): readonly QueryTerm[] {
  const needed = commonShare * size;
  const facts = memories.filter(({ run_id }) => run_id === null);
  if (facts.length < needed) return [];
  return terms.filter((forms) => {
    const holders = facts.filter((one) => forms.some((form) => holdsTerm(form, one.terms)));
    return holders.length >= needed;
  });
}

/** Where nine of ten memories hold a word, it is no reason for one of them. */
const commonShare = 0.9;
const scopeMin = 8;
const sampleSize = 50;
/** Instants compare as text. */
const allTime = { from: '0', to: '9' };

/** As the question writes them, for their vector. */
function wordsOfTerms({ query, reading }: AskedInWords, terms: readonly QueryTerm[]): string {
  const forms = new Set(terms.flat());
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const common = words.filter((word) => {
    const own = termsOfWord(word, reading);
    return own.length > 0 && own.every((form) => forms.has(form));
  });
  return textOfNames(common);
}
