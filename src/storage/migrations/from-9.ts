import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import {
  addColumnSql,
  createIndexesSql,
  createIndexSql,
  createTableSql,
  type EngineWords,
  indexesOf,
} from '../sql/schema/create-sql.ts';

/** The changes of schema 10 that both engines write in the same way. */
export async function upgradeFrom9(db: Database, words: EngineWords): Promise<void> {
  await emptyKeptAnswers(db);
  await addAuditLog(db, words);
  await addReviewColumns(db, words);
  await addInvitations(db, words);
}

async function addAuditLog(db: Database, words: EngineWords): Promise<void> {
  const statements = [
    createTableSql('audit_log', words),
    ...createIndexesSql('audit_log', words.engine),
    addColumnSql('entities', 'audit_salt', words),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * Schema 9 kept whole responses for repeated requests. What remains says that the request was
 * carried out and its response lost, so that no repeat carries it out again.
 */
async function emptyKeptAnswers(db: Database): Promise<void> {
  await sql`alter table idempotency_keys drop column headers`.execute(db);
  await sql`alter table idempotency_keys rename column body to output`.execute(db);
  await db
    .updateTable('idempotency_keys')
    .set({ status: 409, output: '' })
    .where('status', 'is not', null)
    .execute();
}

/** All memories so far are active. Indexes that depend on the status are made anew. */
async function addReviewColumns(db: Database, words: EngineWords): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  for (const column of reviewColumns) await run(addColumnSql('memories', column, words));
  for (const index of indexesOf('memories', words.engine)) {
    if (!reviewIndexes.includes(index.name)) continue;
    await run(`drop index if exists ${index.name}`);
    await run(createIndexSql('memories', index, words.engine));
  }
}

const reviewColumns = ['status', 'source_class', 'review_reason', 'supersedes'];
const reviewIndexes = ['memories_hideable', 'memories_by_category', 'memories_by_review'];

/** Who is a member so far stays one. */
async function addInvitations(db: Database, words: EngineWords): Promise<void> {
  await sql.raw(addColumnSql('members', 'accepted_at', words)).execute(db);
  await db
    .updateTable('members')
    .set((eb) => ({ accepted_at: eb.ref('created_at') }))
    .execute();
}
