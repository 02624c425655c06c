import type { InlineEmbedder } from '../../core/ports/index.ts';
import type { DbSession, SqlDialect } from './dialect.ts';

/** Where statements run: a database or a transaction on it, and the SQL of its engine. */
export type DbContext = DbSession & {
  dialect: SqlDialect;
  /** What makes the vectors of new texts; absent where nothing is written but copies. */
  inline?: InlineEmbedding;
};

/** One for a store: its embedder is known a little later than the store is opened. */
export type InlineEmbedding = { embedder: InlineEmbedder | null };
