/** The rows of the table `meta`. */
export const metaKeys = {
  /** The schema version, in PostgreSQL; a SQLite file has it in its header. */
  schema: 'schema',
  /** A random text that was created with the store. */
  secret: 'secret',
  /** The progress of an unfinished `mneme migrate` into this store. */
  transfer: 'transfer',
  /** Which process merges the full-text index of SQLite. */
  mergeLease: 'fts_merge_lease',
  /**
   * The position up to which memories have the index terms of this version; if it is missing, all
   * have.
   */
  analyzedUpTo: 'analyzed_up_to',
} as const;
