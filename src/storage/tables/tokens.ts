import { sql } from 'kysely';
import type { TokenUsageTable } from '../../core/ports/index.ts';
import type { At } from './at.ts';
import { readMeta } from './meta.ts';

export function createTokenTable(at: At): TokenUsageTable {
  return {
    getUsage: (day) => findSpent(at, day),
    addUsage: (day, tokens) => addSpent(at, day, tokens),
  };
}

/** A row of `meta` for each day, of which only the last one is of use. */
const prefix = 'llm_tokens:';

async function findSpent({ db }: At, day: string): Promise<number> {
  return Number(await readMeta(db, prefix + day));
}

/** One statement counts, so that of two at once none is lost. */
async function addSpent({ db }: At, day: string, tokens: number): Promise<void> {
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
