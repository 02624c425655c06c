import type { EntityIds, EntityType } from '../../contract/schemas/entity.ts';
import type { Selection } from './memories.ts';
import type { ProjectRef } from './tenants.ts';

/** The subject of an erasure, and the values by which every trace of it is found. */
export type ErasureSubject = {
  /** The memories, deleted ones too, with those that were merged into them. */
  ids: ReadonlySet<string>;
  /** Their ids in parts so small that one statement may delete what belongs to a part. */
  parts: readonly (readonly string[])[];
  /** The numbers of those that were not deleted yet, by which the indexes name them. */
  positions: readonly number[];
  /** The entities that they belong to, each combination once. */
  owners: readonly EntityIds[];
  /** Fingerprints of the messages that they came from, each with its entities. */
  sources: ReadonlySet<string>;
  entity: { type: EntityType; id: string } | null;
  /** Deleted memories that are not among them: the history lacks these fields of a filter. */
  undecided: { memories: number; fields: readonly string[] } | null;
};

/** A number of rows by table; tables without any are absent. */
export type RowCounts = Record<string, number>;

/** Copies about the subject in rows of other owners. */
export type ErasedCopies = {
  /** The ids of the events that lost something. */
  events: string[];
  counts: RowCounts;
};

export type ErasureTable = {
  /** What to erase: memories of these owners by ids, or all that match; deleted ones too. */
  select(
    project: ProjectRef,
    wanted: { ids: readonly string[]; owners: Partial<EntityIds> } | { selection: Selection },
    entity?: ErasureSubject['entity'],
  ): Promise<ErasureSubject>;
  /** Counts what tells of the subject, in every table and index of the project. */
  count(project: ProjectRef, subject: ErasureSubject): Promise<RowCounts>;
  /** Counts of this what belongs to the subject, and is deleted with it. */
  countOwn(project: ProjectRef, subject: ErasureSubject): Promise<RowCounts>;
  /**
   * Deletes or empties what tells of the subject, by the rules of the columns, except the memories
   * themselves.
   */
  erase(project: ProjectRef, subject: ErasureSubject): Promise<ErasedCopies>;
  /** Overwrites what is deleted until the returned function is called, where the engine can. */
  overwriteDeleted(project: ProjectRef): Promise<() => Promise<void>>;
};
