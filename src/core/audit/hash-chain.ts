import { createHash } from 'node:crypto';
import type { AuditEntry } from '../../contract/schemas/audit.ts';

/** Covers every field, in this order, and the entry before. */
export function hashEntry(entry: Omit<AuditEntry, 'hash'>): string {
  const { chain, number, created_at, account_id, key_id, project_id, ...about } = entry;
  const { operation, ids, entities, outcome, previous } = about;
  const fields = [chain, number, created_at, account_id, key_id, project_id, operation];
  const covered = JSON.stringify([...fields, ids, entities, outcome, previous]);
  return createHash('sha256').update(covered).digest('hex');
}

export type ChainProblem = { chain: string; number: number; problem: string };

/**
 * Checks entries in the order in which they were written. The first entries of a chain may be
 * missing, because retention deletes the oldest.
 */
export function createChainCheck(): (entry: AuditEntry) => ChainProblem | null {
  const last = new Map<string, AuditEntry>();
  return (entry) => {
    const { chain, number } = entry;
    const before = last.get(chain);
    last.set(chain, entry);
    const problem = findProblem(entry, before);
    return problem === null ? null : { chain, number, problem };
  };
}

function findProblem(entry: AuditEntry, before: AuditEntry | undefined): string | null {
  if (hashEntry(entry) !== entry.hash) return 'the entry was changed';
  if (before === undefined) {
    return entry.number === 1 && entry.previous !== '' ? 'the entry was changed' : null;
  }
  if (entry.number !== before.number + 1) return `an entry after ${before.number} is missing`;
  return entry.previous === before.hash ? null : 'the entry before it was changed';
}
