import type { Relation } from '../../contract/schemas/relation.ts';
import type { ProjectRef } from './tenants.ts';

/** Edges of the knowledge graph. They belong to a memory and go with it. */
export type RelationTable = {
  /** Of memories that have none yet. */
  insert(project: ProjectRef, relations: readonly Relation[]): Promise<void>;
  /** Those of these memories, a memory's in the order in which it states them. */
  list(project: ProjectRef, memory_ids: readonly string[]): Promise<Relation[]>;
  /** Answers how many there were. */
  deleteByMemories(project: ProjectRef, memory_ids: readonly string[]): Promise<number>;
};
