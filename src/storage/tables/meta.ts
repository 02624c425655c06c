import type { At } from './at.ts';

/** The secret that was made with the store. */
export async function getSecret({ db }: At): Promise<string> {
  const { value } = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'secret')
    .executeTakeFirstOrThrow();
  return value;
}
