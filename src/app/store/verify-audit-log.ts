import type { AuditEntry } from '../../contract/schemas/audit.ts';
import { createEndCheck } from '../../core/audit/chain-ends.ts';
import {
  type AuditKey,
  type ChainProblem,
  createChainCheck,
  isKeyed,
} from '../../core/audit/hash-chain.ts';
import type { Store } from '../../core/ports/index.ts';

export type AuditStore = Pick<Store, 'audit'>;

/** All entries of a store, in the order of writing. */
export async function* readAuditLog({ audit }: AuditStore): AsyncGenerator<AuditEntry> {
  for (let last = 0; ; ) {
    const entries = await audit.listAfter(last, pageSize);
    for (const { position, ...entry } of entries) {
      last = position;
      yield entry;
    }
    if (entries.length < pageSize) return;
  }
}

const pageSize = 1000;

export type AuditReport = {
  entries: number;
  /** How many were made under a key. */
  keyed: number;
  /** When the oldest entry was written; null if there is none. What was before is not there. */
  since: string | null;
  chains: { chain: string; number: number; hash: string }[];
  /** The ends of the chains that no later chain continues. Keep them to prove a later cut. */
  head: string[];
  problems: ChainProblem[];
  /** Hashes that no entry has. */
  missing: string[];
};

/** Checks the whole log, and that entries with these hashes are in it. */
export async function verifyAuditLog(
  store: AuditStore,
  { key, heads }: { key: AuditKey; heads: readonly string[] },
): Promise<AuditReport> {
  const check = createChainCheck(key);
  // Read before and after the log, so that what others write or sweep meanwhile is not missed.
  const chainEnds = createEndCheck(await store.audit.listChains());
  const ends = new Map<string, { number: number; hash: string }>();
  const continued = new Set<string>();
  const missing = new Set(heads);
  const problems: ChainProblem[] = [];
  const count = { entries: 0, keyed: 0 };
  let since: string | null = null;
  for await (const entry of readAuditLog(store)) {
    const { chain, number, hash, previous, created_at } = entry;
    const problem = check(entry);
    chainEnds.see(entry);
    if (problem !== null) problems.push(problem);
    count.entries += 1;
    if (isKeyed(entry)) count.keyed += 1;
    if (number === 1) continued.add(previous);
    if (since === null || created_at < since) since = created_at;
    ends.set(chain, { number, hash });
    missing.delete(hash);
  }
  problems.push(...chainEnds.problems(await store.audit.listChains(), problems));
  const chains = [...ends].map(([chain, end]) => ({ chain, ...end }));
  const head = chains.map(({ hash }) => hash).filter((hash) => !continued.has(hash));
  return { ...count, since, chains, head, problems, missing: [...missing] };
}
