/** What became of the lines of one kind. */
export type Tally = { added: number; updated: number; unchanged: number };

export type ImportReport = {
  project: Tally;
  entities: Tally;
  memories: Tally;
  history: Tally;
  feedback: Tally;
  /** Lines that were left out, because they are not valid or in conflict with what is stored. */
  refused: number;
  /** Lines of which secrets were taken out. */
  redacted: number;
  /** False when the end was not among the lines: some may be missing. */
  complete: boolean;
};

export function emptyReport(): ImportReport {
  return {
    project: emptyTally(),
    entities: emptyTally(),
    memories: emptyTally(),
    history: emptyTally(),
    feedback: emptyTally(),
    refused: 0,
    redacted: 0,
    complete: false,
  };
}

export function emptyTally(): Tally {
  return { added: 0, updated: 0, unchanged: 0 };
}
