import type { AuditEntry } from '../../contract/schemas/audit.ts';
import type { AuditChain } from '../ports/index.ts';
import type { ChainProblem } from './hash-chain.ts';

type SeenChain = {
  first: number;
  last: number;
  /** The hash of the entry that was noted as the last, once it is seen. */
  noted: string | null;
};

/**
 * Checks both ends of each chain by what the store notes beside the log. A chain may have grown
 * since `before` was read, and retention may cut it until `after` is.
 */
export function createEndCheck(before: readonly AuditChain[]) {
  const notedBefore = new Map(before.map((noted) => [noted.chain, noted]));
  const seen = new Map<string, SeenChain>();

  return {
    see: ({ chain, number, hash }: AuditEntry): void => {
      const span = seen.get(chain) ?? { first: number, last: number, noted: null };
      const noted = notedBefore.get(chain)?.number === number ? hash : span.noted;
      seen.set(chain, { ...span, last: number, noted });
    },
    /** The problems that are not among the `known` ones. */
    problems: (after: readonly AuditChain[], known: readonly ChainProblem[]): ChainProblem[] => {
      const notedAfter = new Map(after.map((noted) => [noted.chain, noted]));
      const problems: ChainProblem[] = [];
      for (const [chain, { first }] of seen) {
        const noted = notedAfter.get(chain);
        if (noted === undefined && notedBefore.has(chain)) continue; // swept meanwhile
        const problem = beginningProblem(first, noted);
        if (problem !== null) problems.push({ chain, number: first, problem });
      }
      for (const noted of before) {
        const { chain, number } = noted;
        const first_number = notedAfter.get(chain)?.first_number;
        if (first_number === undefined || first_number > number) continue; // swept meanwhile
        const problem = endProblem(noted, seen.get(chain));
        if (problem !== null) problems.push({ chain, number, problem });
      }
      const places = new Set(known.map(placeOf));
      return problems.filter((problem) => !places.has(placeOf(problem)));
    },
  };
}

function beginningProblem(first: number, noted: AuditChain | undefined): string | null {
  if (noted === undefined) return 'where the chain begins and ends was deleted';
  const { first_number } = noted;
  return first > first_number ? `the entries before it, from ${first_number}, are missing` : null;
}

function endProblem({ number, hash }: AuditChain, span: SeenChain | undefined): string | null {
  if (span === undefined) return 'the entry is missing, and all of its chain';
  if (span.noted === hash) return null;
  if (span.noted !== null) return 'the entry was changed';
  return span.last < number ? `the entry is missing, and all after ${span.last}` : null;
}

function placeOf({ chain, number }: ChainProblem): string {
  return `${chain} ${number}`;
}
