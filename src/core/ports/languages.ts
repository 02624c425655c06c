import type { IndexTerms, StoredMemory } from './memories.ts';
import type { ProjectRef } from './tenants.ts';

/** The languages of a project's memories, except those that are the default of their script. */
export type LanguageTable = {
  list(project: ProjectRef): Promise<string[]>;
  add(project: ProjectRef, languages: readonly string[]): Promise<void>;
};

/** A memory whose index terms come from an earlier version. */
export type OutdatedTerms = { project: ProjectRef; memory: StoredMemory; terms: IndexTerms };

/** Updates index terms that an earlier version has written. */
export type TermRefreshTable = {
  /** The first `limit` memories that were not checked yet; null if all were. */
  listOutdated(limit: number): Promise<OutdatedTerms[] | null>;
  /**
   * Replaces the terms of a memory and keeps everything else, its vector too; false if its text has
   * changed since it was read.
   */
  updateTerms(project: ProjectRef, memory: StoredMemory, terms: IndexTerms): Promise<boolean>;
  /** Marks all memories up to this position as current; null marks all. */
  markCurrent(position: number | null): Promise<void>;
};
