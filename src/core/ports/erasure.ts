import type { EntityIds, EntityType } from '../../contract/schemas/entity.ts';
import type { Selection } from './memories.ts';
import type { ProjectRef } from './tenants.ts';

/** What is to be erased, and by which every trace of it is found. */
export type ErasureSubject = {
  /** The memories, with those that were merged into them. */
  ids: ReadonlySet<string>;
  /** Their numbers, by which the indexes name them. */
  positions: readonly number[];
  /** The entities that they belong to, each combination once. */
  owners: readonly EntityIds[];
  /** Fingerprints of the messages that they came from, each with its entities. */
  sources: ReadonlySet<string>;
  entity: { type: EntityType; id: string } | null;
};

/** A number of rows by table; tables without any are absent. */
export type RowCounts = Record<string, number>;

export type ErasureTable = {
  /** What to erase: memories of these owners by ids, deleted ones too, or all that match. */
  select(
    project: ProjectRef,
    wanted: { ids: readonly string[]; owners: Partial<EntityIds> } | { selection: Selection },
    entity?: ErasureSubject['entity'],
  ): Promise<ErasureSubject>;
  /** Counts what tells of the subject, in every table and index of the project. */
  count(project: ProjectRef, subject: ErasureSubject): Promise<RowCounts>;
  /**
   * Deletes or empties what tells of the subject, by the rules of the columns, except the memories
   * themselves; returns the ids of the events that lost something.
   */
  erase(project: ProjectRef, subject: ErasureSubject): Promise<string[]>;
  /** Overwrites what is deleted until the returned function is called, where the engine can. */
  overwriteDeleted(project: ProjectRef): Promise<() => Promise<void>>;
  /** Removes deleted memories from what the index keeps in bulk. */
  rewriteIndexes(project: ProjectRef): Promise<void>;
};
