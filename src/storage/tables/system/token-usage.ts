import { sql } from 'kysely';
import type { TokenUsageTable } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { readMeta } from './meta.ts';

export const tokenUsageStatements: StatementsOf<TokenUsageTable> = {
  getUsage: { scope: 'free', run: readTokensUsed },
  addUsage: { scope: 'free', run: addTokensUsed },
};

/** One row of `meta` per day, of which only the last is used. */
const prefix = 'llm_tokens:';

async function readTokensUsed({ db }: DbContext, day: string): Promise<number> {
  return Number(await readMeta(db, prefix + day));
}

/** Counts in one statement, so that concurrent additions are not lost. */
async function addTokensUsed({ db }: DbContext, day: string, tokens: number): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: prefix + day, value: `${tokens}` })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        value: sql<string>`cast(cast(meta.value as bigint) + ${tokens} as text)`,
      }),
    )
    .execute();
  await db
    .deleteFrom('meta')
    .where('key', 'like', `${prefix}%`)
    .where('key', '<', prefix + day)
    .execute();
}
