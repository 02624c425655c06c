import type { EmbeddingModel, ProjectRef, Store } from '../../src/core/ports/index.ts';

/** A project in a store, with a space of its vectors. */
export type Place = { store: Store; project: ProjectRef; space: EmbeddingModel };
