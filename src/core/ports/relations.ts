import type { Relation } from '../../contract/schemas/relation.ts';
import type { ProjectRef } from './tenants.ts';

/** Edges of the knowledge graph. Those of a deleted memory are kept, until it is erased. */
export type RelationTable = {
  /** Inserts relations of memories that have none stored. */
  insert(project: ProjectRef, relations: readonly Relation[]): Promise<void>;
  /** The relations of these memories, for each memory in the order of its text. */
  list(project: ProjectRef, memory_ids: readonly string[]): Promise<Relation[]>;
  /** The relations of memories that are recalled on this day, the newest memories first. */
  listNewest(
    project: ProjectRef,
    query: {
      entity?: string | undefined;
      user_id?: string | undefined;
      limit: number;
      day: string;
    },
  ): Promise<(Relation & { memory: string })[]>;
  /** Returns how many were deleted. */
  deleteByMemories(project: ProjectRef, memory_ids: readonly string[]): Promise<number>;
};
