import type { InlineEmbedder } from '../../core/ports/index.ts';
import type { DialectSession } from './dialect.ts';

/** The database, or a transaction on it, that statements of a store run in. */
export type DbContext = DialectSession & {
  /** Embeds new texts; absent if only copies are written. */
  inline?: InlineEmbedding;
};

/** One for a store: its embedder is known a little later than the store is opened. */
export type InlineEmbedding = { embedder: InlineEmbedder | null };
