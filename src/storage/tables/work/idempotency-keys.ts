import type { IdempotentAnswer } from '../../../contract/http-binding.ts';
import type { IdempotencyKeyTable, Instant } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { deleteRowsInChunks } from '../../sql/delete-in-chunks.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const idempotencyKeyStatements: StatementsOf<IdempotencyKeyTable> = {
  reserve: {
    scope: 'free',
    run: reserveKey,
    autocommit: {
      read: async (at, { id }) => {
        const answer = await findIdempotencyRecord(at, id);
        return answer === null ? null : { answer };
      },
    },
  },
  complete: { scope: 'free', run: completeKey, autocommit: true },
  release: { scope: 'free', run: releaseKey, autocommit: true },
  deleteBefore: { scope: 'free', run: deleteKeysBefore },
};

export async function findIdempotencyRecord(
  { db }: DbContext,
  id: string,
): Promise<IdempotentAnswer | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

async function reserveKey(
  at: DbContext,
  answer: IdempotentAnswer,
): Promise<IdempotentAnswer | null> {
  const inserted = await at.db
    .insertInto('idempotency_keys')
    .values(answer)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted === undefined ? findIdempotencyRecord(at, answer.id) : null;
}

async function completeKey(
  { db }: DbContext,
  id: string,
  { status, output }: Parameters<IdempotencyKeyTable['complete']>[1],
): Promise<void> {
  await db.updateTable('idempotency_keys').set({ status, output }).where('id', '=', id).execute();
}

async function releaseKey(
  { db }: DbContext,
  { id, status, created_at }: Parameters<IdempotencyKeyTable['release']>[0],
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('id', '=', id)
    .where('status', status === null ? 'is' : '=', status)
    .where('created_at', '=', created_at)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function deleteKeysBefore({ db }: DbContext, instant: Instant): Promise<number> {
  return deleteRowsInChunks(async (limit) => {
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_keys')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('idempotency_keys')
          .select('id')
          .where('created_at', '<', instant)
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
