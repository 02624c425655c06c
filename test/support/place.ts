import type { EmbeddingModel, ProjectRef, Store } from '../../src/core/ports/index.ts';

/** A project in a store, and its embedding model. */
export type Place = { store: Store; project: ProjectRef; model: EmbeddingModel };
