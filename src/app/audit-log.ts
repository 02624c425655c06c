import type { AuditEntry } from '../contract/schemas/audit.ts';
import type { Store } from '../core/ports/index.ts';

export { createChainCheck } from '../core/audit/hash-chain.ts';

/** All entries of a store, in the order of writing. */
export async function* readAuditLog({ audit }: Pick<Store, 'audit'>): AsyncGenerator<AuditEntry> {
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
