import type { Client } from 'pg';
import { englishQuery } from '../../src/core/language/resolve-languages.ts';
import { queryTermsOf } from '../../src/core/language/terms-of-text.ts';

/** A question with its vector; of a user, or of the whole project. */
export type Asked = { question: string; vector: Float32Array; user_id: string | null };

/** What somebody would write by hand for this data alone; each answers 20 memories. */
export type ByHand = Record<'words' | 'nearest' | 'both', (asked: Asked) => Promise<Answered[]>>;

export type Answered = { id: string; memory: string; position: number };

const limit = 20;

/** The project and the model, by their keys. */
type Tables = { key: number; model: number; dimension: number; isExact: boolean };

/** Candidates of each kind, of which the best are answered. */
const fused = 50;

/**
 * Statements over the same tables and indexes, as a user whom no policy of rows concerns: all that
 * any of the words is in, ranked by `ts_rank`; a user's nearest by comparing all, those of the
 * project by the graph or, `isVerbatimField`, by comparing all; and both, fused by the places that they
 * give.
 */
export function writtenByHand(client: Client, { key, model, dimension, isExact }: Tables): ByHand {
  const columns = `memories.id, memory, memories.position, user_id, metadata, categories,
    memories.created_at, memories.updated_at`;
  const joined = `join memories on memories.project_key = ${key}
    and memories.position = found.position`;
  const words = (many: number) => `select position, ts_rank(tokens, $1::tsquery) as score
    from memory_fts where project_key = ${key} and tokens @@ $1::tsquery
    order by score desc limit ${many}`;
  const byGraph = (at: number) =>
    `(vector::halfvec(${dimension})) <#> $${at}::halfvec(${dimension})`;
  const ofProject = (many: number, at: number) => `select position,
      ${isExact ? `vector <#> $${at}::vector` : byGraph(at)} as distance
    from vectors where project_key = ${key} and model_key = ${model}
    order by distance limit ${many}`;
  const ofUser = (many: number, at: number) => `select memories.position,
      vector <#> $${at}::vector as distance
    from memories join vectors on vectors.project_key = ${key}
      and vectors.model_key = ${model} and vectors.position = memories.position
    where memories.project_key = ${key} and user_id = $${at + 1}
    order by distance limit ${many}`;
  const read = async (statement: string, values: unknown[]) =>
    (await client.query<Answered>(statement, values)).rows;
  const queryOf = createQueries(client, key);
  const nearestOf = ({ user_id }: Asked) => (user_id === null ? ofProject : ofUser);
  const nearValues = ({ vector, user_id }: Asked) => {
    const text = `[${vector.join(',')}]`;
    return user_id === null ? [text] : [text, user_id];
  };
  return {
    words: async (asked) =>
      read(
        `select ${columns}, score from (${words(limit)}) as found ${joined} order by score desc`,
        [await queryOf(asked)],
      ),
    nearest: (asked) =>
      read(
        `select ${columns}, distance from (${nearestOf(asked)(limit, 1)}) as found ${joined}
          order by distance`,
        nearValues(asked),
      ),
    both: async (asked) =>
      read(
        `with words as (
            select position, row_number() over (order by score desc) as place
            from (${words(fused)}) as one),
          near as (
            select position, row_number() over (order by distance) as place
            from (${nearestOf(asked)(fused, 2)}) as other),
          found as (
            select position, coalesce(1.0 / (60 + words.place), 0)
              + coalesce(1.0 / (60 + near.place), 0) as score
            from words full join near using (position) order by score desc limit ${limit})
          select ${columns}, score from found ${joined} order by score desc`,
        [await queryOf(asked), ...nearValues(asked)],
      ),
  };
}

/** Any of the telling words; those of a user by the term that says whose a memory is. */
function createQueries(client: Client, key: number): (asked: Asked) => Promise<string> {
  const owners = new Map<string, string>();
  const findOwner = async (user_id: string) => {
    const { rows } = await client.query<{ key: string }>(
      `select key from entities where project_key = $1 and type = 'user' and id = $2`,
      [key, user_id],
    );
    return `'#e${rows[0]?.key}'`;
  };
  return async ({ question, user_id }) => {
    const terms = queryTermsOf(question, englishQuery).flat();
    const any = `(${terms.map((term) => `'${term}'`).join(' | ')})`;
    if (user_id === null) return any;
    const owner = owners.get(user_id) ?? (await findOwner(user_id));
    owners.set(user_id, owner);
    return `${any} & ${owner}`;
  };
}
