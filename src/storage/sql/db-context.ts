import type { InlineEmbedder } from '../../core/ports/index.ts';
import type { DialectSession } from './dialect.ts';

/** Where statements of a store run: a database or a transaction on it. */
export type DbContext = DialectSession & {
  /** What makes the vectors of new texts; absent where nothing is written but copies. */
  inline?: InlineEmbedding;
};

/** One for a store: its embedder is known a little later than the store is opened. */
export type InlineEmbedding = { embedder: InlineEmbedder | null };
