import type { QueryLanguages } from '../../language/resolve-languages.ts';
import type { Candidate, QueryTerm } from '../../ports/index.ts';
import type { CandidateScope } from '../candidates.ts';
import type { ParsedQuery } from '../query/query.ts';
import { holdsTerm } from '../rank/passages.ts';
import { namesIn, termsOfWord, textOfNames } from './names.ts';

/**
 * A question without the words that nearly all memories of the scope hold, such as the name of the
 * person whose memories they are: like "the user", they do not tell memories apart. The question
 * stays as it is if it has no other word, for turns of a conversation, which differ by their
 * speakers, and in a scope of too few memories. `limit` is the most that a search by words finds.
 */
export async function setCommonAside(
  within: CandidateScope,
  { question, candidates }: { question: ParsedQuery; candidates: readonly Candidate[] },
  wording: AskedInWords,
): Promise<{ question: ParsedQuery; common: string }> {
  const { terms } = question;
  const common = await findCommonTerms(within, terms, { ...wording, candidates });
  if (common.length === 0) return { question, common: '' };
  const telling = terms.filter((term) => !common.includes(term));
  return {
    question: { ...question, terms: telling },
    common: wordsOfTerms(wording, common),
  };
}

type AskedInWords = { query: string; reading: QueryLanguages; limit: number };

async function findCommonTerms(
  { tables, project, selection, size }: CandidateScope,
  terms: readonly QueryTerm[],
  { query, reading, candidates, limit }: AskedInWords & { candidates: readonly Candidate[] },
): Promise<readonly QueryTerm[]> {
  if (size < scopeMin || terms.length < 2) return [];
  const isCounted = candidates.length < limit;
  // If the search found only some of the memories with these words, a sample is read, for names
  // alone.
  const names = isCounted ? terms : namesAmong(terms, query, reading);
  if (names.length === 0) return [];
  const frequent = termsOfMost(terms, candidates, isCounted ? size : candidates.length);
  if (frequent.length === 0 || frequent.length === terms.length) return [];
  if (isCounted) return frequent;
  const frequentNames = frequent.filter((term) => names.includes(term));
  if (frequentNames.length === 0) return [];
  // The newest memories stand for all.
  const sample = { ...allTime, limit: sampleSize };
  const newest = await tables.memories.listNewest(project, selection, sample);
  return termsOfMost(frequentNames, newest, newest.length);
}

function namesAmong(
  terms: readonly QueryTerm[],
  query: string,
  reading: QueryLanguages,
): readonly QueryTerm[] {
  const nameForms = new Set(namesIn(query, reading).flatMap(({ forms }) => forms));
  return terms.filter((forms) => forms.some((form) => nameForms.has(form)));
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

/** A word that nine of ten memories hold does not speak for one of them. */
const commonShare = 0.9;
const scopeMin = 8;
const sampleSize = 50;
/** Instants compare as text. */
const allTime = { from: '0', to: '9' };

/** The words as the question writes them, for their vector. */
function wordsOfTerms({ query, reading }: AskedInWords, terms: readonly QueryTerm[]): string {
  const forms = new Set(terms.flat());
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const common = words.filter((word) => {
    const own = termsOfWord(word, reading);
    return own.length > 0 && own.every((form) => forms.has(form));
  });
  return textOfNames(common);
}
