import type { Selectable } from 'kysely';
import type { IdempotencyKeyTable, IdempotentAnswer, Instant } from '../../core/ports/index.ts';
import { fromJson, toJson } from '../json.ts';
import type { AnswerRow } from '../schema.ts';
import type { At } from './at.ts';
import { inChunks } from './chunks.ts';

export function createAnswerTable(at: At): IdempotencyKeyTable {
  return {
    reserve: (answer) => reserveAnswer(at, answer),
    complete: (id, answer) => completeAnswer(at, id, answer),
    release: (answer) => deleteAnswer(at, answer),
    deleteBefore: (instant) => deleteAnswersBefore(at, instant),
  };
}

export async function findAnswer({ db }: At, id: string): Promise<IdempotentAnswer | null> {
  const row = await db.selectFrom('answers').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toAnswer(row);
}

async function reserveAnswer(at: At, answer: IdempotentAnswer): Promise<IdempotentAnswer | null> {
  const inserted = await at.db
    .insertInto('answers')
    .values({ ...answer, headers: toJson(answer.headers) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted === undefined ? findAnswer(at, answer.id) : null;
}

async function completeAnswer(
  { db }: At,
  id: string,
  { status, headers, body }: Parameters<IdempotencyKeyTable['complete']>[1],
): Promise<void> {
  await db
    .updateTable('answers')
    .set({ status, headers: toJson(headers), body })
    .where('id', '=', id)
    .execute();
}

async function deleteAnswer(
  { db }: At,
  { id, status, created_at }: Parameters<IdempotencyKeyTable['release']>[0],
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('answers')
    .where('id', '=', id)
    .where('status', status === null ? 'is' : '=', status)
    .where('created_at', '=', created_at)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function deleteAnswersBefore({ db }: At, instant: Instant): Promise<number> {
  return inChunks(async (limit) => {
    const { numDeletedRows } = await db
      .deleteFrom('answers')
      .where('id', 'in', (eb) =>
        eb.selectFrom('answers').select('id').where('created_at', '<', instant).limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}

function toAnswer(row: Selectable<AnswerRow>): IdempotentAnswer {
  return { ...row, headers: fromJson<Record<string, string>>(row.headers) };
}
