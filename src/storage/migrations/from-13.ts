import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import { createTableSql, type EngineWords } from '../sql/schema/create-sql.ts';

/** Schema 14 notes where each chain of the audit log begins and ends. */
export async function upgradeFrom13(db: Database, words: EngineWords): Promise<void> {
  await sql.raw(createTableSql('audit_chains', words)).execute(db);
  await sql`
    insert into audit_chains (chain, first_number, number, hash)
    select entry.chain, span.first_number, entry.number, entry.hash
    from (
      select min(number) as first_number, max(position) as position
      from audit_log group by chain
    ) span
    join audit_log entry on entry.position = span.position`.execute(db);
}
