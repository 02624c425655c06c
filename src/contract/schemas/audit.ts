import * as z from 'zod';

/**
 * One call of an operation. It holds no text: `ids` are those of records, and `entities` HMACs of
 * entity ids under a salt that is erased with the entity. The entries of a process form a chain:
 * `hash` covers the entry and `previous`, the hash of the entry before it. The first of a chain has
 * that of the last entry of the log, or '' if it is the first of all.
 */
export const AuditEntry = z.object({
  chain: z.string(),
  number: z.int(),
  created_at: z.string(),
  account_id: z.string().nullable(),
  key_id: z.string().nullable(),
  project_id: z.string().nullable(),
  operation: z.string(),
  ids: z.array(z.string()),
  entities: z.array(z.string()),
  outcome: z.string(),
  previous: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.output<typeof AuditEntry>;
