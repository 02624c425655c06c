import { Client } from 'pg';
import type { Peer } from './peer.ts';

/**
 * SQL as somebody would write it: PostgreSQL's own English stems and stop words, any word of the
 * question, the speaker beside the text, the best by `ts_rank`.
 */
export async function openPostgres(url: string): Promise<Peer> {
  const client = new Client(url);
  await client.connect();
  await client.query(`
    create temporary table said (id text primary key, user_id text, words tsvector);
    create index on said (user_id);
    create index on said using gin (words)`);
  return {
    name: 'PostgreSQL, ts_rank',
    add: async ({ id, user_id, name, text }) => {
      const values = [id, user_id, `${name}: ${text}`];
      await client.query(`insert into said values ($1, $2, to_tsvector('english', $3))`, values);
      return [id];
    },
    ready: async () => {
      await client.query('analyze said');
    },
    search: async (question, user_id, top_k) => {
      const { rows } = await client.query<{ id: string }>(
        `with asked as (
            select replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery as any_word)
          select id from said, asked where user_id = $2 and words @@ any_word
          order by ts_rank(words, any_word) desc limit $3`,
        [question, user_id, top_k],
      );
      return rows.map(({ id }) => id);
    },
    close: () => client.end(),
  };
}
