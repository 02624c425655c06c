import { createHash, createHmac } from 'node:crypto';
import type { AuditEntry } from '../../contract/schemas/audit.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';

/** The secret that hashes are made under; null makes hashes that anybody can make. */
export type AuditKey = string | null;

/**
 * Covers every field, in this order, and the entry before. Under a key it is an HMAC-SHA256 that
 * names the key, `hmac-sha256:KEY_ID:HEX`; without one, the SHA-256 as HEX.
 */
export function hashEntry(entry: StrictOmit<AuditEntry, 'hash'>, key: AuditKey): string {
  const { chain, number, created_at, account_id, key_id, project_id, ...about } = entry;
  const { operation, ids, entities, outcome, previous } = about;
  const fields = [chain, number, created_at, account_id, key_id, project_id, operation];
  const covered = JSON.stringify([...fields, ids, entities, outcome, previous]);
  if (key === null) return createHash('sha256').update(covered).digest('hex');
  return `${keyedPrefix(key)}${createHmac('sha256', key).update(covered).digest('hex')}`;
}

/** Tells keys apart and tells nothing about them. */
function keyedPrefix(key: string): string {
  const id = createHmac('sha256', key).update('mneme audit key').digest('hex').slice(0, 8);
  return `hmac-sha256:${id}:`;
}

export function isKeyed({ hash }: Pick<AuditEntry, 'hash'>): boolean {
  return hash.startsWith('hmac-sha256:');
}

export type ChainProblem = { chain: string; number: number; problem: string };

type LogState = {
  key: AuditKey;
  /** The last entry of each chain. */
  ends: Map<string, AuditEntry>;
  /** The beginning of every hash: enough to find one again, and little for a year of entries. */
  seen: Set<number>;
  /** When the oldest entry was written, by the clock of its process. */
  oldest: string | null;
  /** Whether an entry was made under a key. */
  isKeyed: boolean;
};

/**
 * Checks entries in the order in which they were written. A chain begins with the hash of the entry
 * that was the last of the log, whichever chain that is in. The oldest entries may be missing,
 * because retention deletes them.
 */
export function createChainCheck(key: AuditKey = null): (entry: AuditEntry) => ChainProblem | null {
  const state: LogState = {
    key,
    ends: new Map(),
    seen: new Set(),
    oldest: null,
    isKeyed: false,
  };
  return (entry) => {
    const { chain, number, created_at, hash } = entry;
    const problem = hashProblem(entry, state) ?? placeProblem(entry, state);
    state.ends.set(chain, entry);
    state.seen.add(beginningOf(hash));
    if (state.oldest === null || created_at < state.oldest) state.oldest = created_at;
    state.isKeyed ||= isKeyed(entry);
    return problem === null ? null : { chain, number, problem };
  };
}

function hashProblem(entry: AuditEntry, { key, ends, isKeyed: wasKeyed }: LogState): string | null {
  if (!isKeyed(entry)) {
    if (hashEntry(entry, null) !== entry.hash) return 'the entry was changed';
    // Anybody who can write to the store can make such an entry, or replace a keyed one by it.
    return wasKeyed ? 'the entry has no key, but earlier ones have' : null;
  }
  if (key !== null && entry.hash.startsWith(keyedPrefix(key))) {
    return hashEntry(entry, key) === entry.hash ? null : 'the entry was changed';
  }
  // One line tells of a whole chain.
  if (ends.has(entry.chain)) return null;
  const [, key_id] = entry.hash.split(':');
  return `can't be checked without its audit_key, ${key_id}`;
}

function placeProblem(entry: AuditEntry, { ends, seen, oldest }: LogState): string | null {
  const { chain, number, previous } = entry;
  const before = ends.get(chain);
  if (before !== undefined) {
    if (number !== before.number + 1) return `an entry after ${before.number} is missing`;
    return previous === before.hash ? null : 'the entry before it was changed';
  }
  if (number > 1) return isYounger(chain, oldest) ? 'the entries before it are missing' : null;
  const isFound = previous === '' || seen.has(beginningOf(previous));
  return isFound || oldest === null ? null : 'the entry before it, of another chain, is missing';
}

/** 52 bits of a hash in hexadecimal digits: as many as a number can hold. */
function beginningOf(hash: string): number {
  return Number.parseInt(hash.slice(hash.lastIndexOf(':') + 1).slice(0, 13), 16);
}

/** Whether a chain began after an entry was written that is still there: retention spares it. */
function isYounger(chain: string, oldest: string | null): boolean {
  if (oldest === null) return false;
  // The id of a chain is a UUID of version 7, which begins with its time in milliseconds.
  const began = Number.parseInt(chain.replaceAll('-', '').slice(0, 12), 16);
  return began > Date.parse(oldest) + clockSkewMaxMs;
}

/** How much the clocks of two processes may differ. */
const clockSkewMaxMs = 5 * 60_000;
