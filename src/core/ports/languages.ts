import type { IndexTerms, StoredMemory } from './memories.ts';
import type { ProjectRef } from './tenants.ts';

/** The languages in which there are memories in a project, but for those that need no telling. */
export type LanguageTable = {
  list(project: ProjectRef): Promise<string[]>;
  add(project: ProjectRef, languages: readonly string[]): Promise<void>;
};

/** A memory whose index terms an earlier version made. */
export type OutdatedTerms = { project: ProjectRef; memory: StoredMemory; terms: IndexTerms };

/** Brings the index terms of a store up to date that an earlier version has written. */
export type TermRefreshTable = {
  /** The first `limit` memories that are still to be looked at; null when all have been. */
  listOutdated(limit: number): Promise<OutdatedTerms[] | null>;
  /** Replaces the terms of a memory; all else of it stays, its vector too. */
  updateTerms(project: ProjectRef, memory: StoredMemory, terms: IndexTerms): Promise<void>;
  /** Notes that all memories up to this position are up to date; null: all there are. */
  markCurrent(position: number | null): Promise<void>;
};
