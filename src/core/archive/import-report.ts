import type { ArchiveLine } from '../../contract/archive/archive-line.ts';
import type { ApiError } from '../../contract/errors.ts';

export type LocatedLine<L = ArchiveLine> = {
  place: string;
  line: L;
  /** Its date is not believed, so it is not newer than what is stored. */
  isAhead: boolean;
};
export type RefusedLine = { place: string; error: ApiError };

/** What became of the lines of one kind. */
export type ImportTally = { added: number; updated: number; unchanged: number };

export type ImportReport = {
  project: ImportTally;
  entities: ImportTally;
  memories: ImportTally;
  versions: ImportTally;
  history: ImportTally;
  feedback: ImportTally;
  /** Lines that were left out, because they are not valid or in conflict with what is stored. */
  refused: number;
  /** Lines of which secrets were taken out. */
  redacted: number;
  /** Lines with dates ahead of the clock, which were not believed. */
  ahead: number;
  /** What the lines change of the project: its name, description and settings. */
  settings: string[];
  /** What the file says and a trusted one would be believed. */
  not_trusted: {
    /** Memories that it says are from a more trusted source than an import. */
    memories: number;
    /** What it would change of the project. */
    settings: string[];
  };
  /** False when the end was not among the lines: some may be missing. */
  complete: boolean;
};

export function createImportReport(): ImportReport {
  return {
    project: createTally(),
    entities: createTally(),
    memories: createTally(),
    versions: createTally(),
    history: createTally(),
    feedback: createTally(),
    refused: 0,
    redacted: 0,
    ahead: 0,
    settings: [],
    not_trusted: { memories: 0, settings: [] },
    complete: false,
  };
}

export function createTally(): ImportTally {
  return { added: 0, updated: 0, unchanged: 0 };
}
