import { type Selectable, sql } from 'kysely';
import type { AuditEntry } from '../../../contract/schemas/audit.ts';
import type {
  AuditChain,
  AuditEntity,
  AuditTable,
  Instant,
  ProjectRef,
  StoredAuditEntry,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { deleteRowsInChunks } from '../../sql/delete-in-chunks.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import type { AuditLogRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const auditStatements: StatementsOf<AuditTable> = {
  // Apart from the request: that a call was recorded does not mean that it wrote anything.
  append: { scope: 'free', run: appendEntry, autocommit: true },
  listChains: { scope: 'free', run: listChains },
  findLastHash: { scope: 'free', run: findLastHash },
  list: { scope: 'free', run: listEntries },
  listAfter: { scope: 'free', run: listEntriesAfter },
  deleteBefore: { scope: 'free', run: deleteEntriesBefore },
  getSalt: { scope: 'project', run: getSalt, autocommit: true },
};

async function appendEntry({ db }: DbContext, entry: AuditEntry): Promise<void> {
  const lists = { ids: toJson(entry.ids), entities: toJson(entry.entities) };
  const row = { ...entry, ...lists };
  await db.insertInto('audit_log').values(row).execute();
  const { chain, number, hash } = entry;
  await db
    .insertInto('audit_chains')
    .values({ chain, first_number: number, number, hash })
    .onConflict((conflict) => conflict.column('chain').doUpdateSet({ number, hash }))
    .execute();
}

function listChains({ db }: DbContext): Promise<AuditChain[]> {
  return db.selectFrom('audit_chains').selectAll().execute();
}

async function findLastHash({ db }: DbContext): Promise<string | null> {
  const row = await db
    .selectFrom('audit_log')
    .select('hash')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.hash ?? null;
}

async function listEntries(
  { db }: DbContext,
  project_id: string,
  { page, page_size, operation, outcome }: Parameters<AuditTable['list']>[1],
): Promise<{ results: AuditEntry[]; total: number }> {
  let entries = db.selectFrom('audit_log').where('project_id', '=', project_id);
  if (operation !== undefined) entries = entries.where('operation', '=', operation);
  if (outcome !== undefined) entries = entries.where('outcome', '=', outcome);
  const rows = await entries
    .selectAll()
    .orderBy('position', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute();
  const { total } = await entries
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const results = rows.map(toEntry).map(({ position: _, ...entry }): AuditEntry => entry);
  return { results, total: Number(total) };
}

async function listEntriesAfter(
  { db }: DbContext,
  position: number,
  limit: number,
): Promise<StoredAuditEntry[]> {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('position', '>', position)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

async function deleteEntriesBefore({ db }: DbContext, instant: Instant): Promise<number> {
  const count = await deleteRowsInChunks(async (limit) => {
    const old = db
      .selectFrom('audit_log')
      .select('position')
      .where('created_at', '<', instant)
      .orderBy('position')
      .limit(limit);
    const deleted = await db
      .deleteFrom('audit_log')
      .where('position', 'in', old)
      .returning(['chain', 'number'])
      .execute();
    await cutChains(db, deleted);
    return deleted.length;
  });
  if (count > 0) {
    await db.deleteFrom('audit_chains').whereRef('first_number', '>', 'number').execute();
  }
  return count;
}

/** By what was deleted, not by what is left: that would cover up what somebody else deleted. */
async function cutChains(
  db: DbContext['db'],
  deleted: readonly Pick<AuditEntry, 'chain' | 'number'>[],
): Promise<void> {
  const ends = new Map<string, number>();
  for (const { chain, number } of deleted) {
    ends.set(chain, Math.max(number, ends.get(chain) ?? 0));
  }
  for (const [chain, end] of ends) {
    await db
      .updateTable('audit_chains')
      .set({ first_number: end + 1 })
      .where('chain', '=', chain)
      .where('first_number', '<=', end)
      .execute();
  }
}

async function getSalt(
  { db }: DbContext,
  project: ProjectRef,
  { type, id }: AuditEntity,
  fresh: string,
): Promise<string | null> {
  const row = await db
    .updateTable('entities')
    .set({ audit_salt: sql`coalesce(audit_salt, ${fresh})` })
    .where('project_key', '=', project.key)
    .where('type', '=', type)
    .where('id', '=', id)
    .returning('audit_salt')
    .executeTakeFirst();
  return row?.audit_salt ?? null;
}

function toEntry(row: Selectable<AuditLogRow>): StoredAuditEntry {
  return {
    ...row,
    ids: fromJson<string[]>(row.ids),
    entities: fromJson<string[]>(row.entities),
  };
}
