import type { IndexTerms, StoredMemory } from './memories.ts';
import type { Project } from './tenants.ts';

/** The languages in which there are memories in a project, but for those that need no telling. */
export type LanguageTable = {
  list(project: Project): Promise<string[]>;
  add(project: Project, languages: readonly string[]): Promise<void>;
};

/** A memory whose index terms an earlier version made. */
export type Outdated = { project: Project; memory: StoredMemory; terms: IndexTerms };

/** Brings the index terms of a store up to date that an earlier version has written. */
export type AnalysisTable = {
  /** The first `limit` memories that are still to be looked at; null when all have been. */
  outdated(limit: number): Promise<Outdated[] | null>;
  /** Replaces the terms of a memory; all else of it stays, its vector too. */
  put(project: Project, memory: StoredMemory, terms: IndexTerms): Promise<void>;
  /** Notes that all memories up to this position are up to date; null: all there are. */
  settle(position: number | null): Promise<void>;
};
