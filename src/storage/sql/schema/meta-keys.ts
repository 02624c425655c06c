/** The rows of the table `meta`. */
export const metaKeys = {
  /** The version of the tables, in PostgreSQL; a file of SQLite has it in its header. */
  schema: 'schema',
  /** A random text that the store was made with. */
  secret: 'secret',
  /** How far an unfinished `mneme migrate` into this store is. */
  transfer: 'transfer',
  /** Which process merges the full-text index of SQLite. */
  mergeLease: 'fts_merge_lease',
  /**
   * The position up to which memories have the index terms of this version; without it all have.
   */
  analyzedUpTo: 'analyzed_up_to',
} as const;
