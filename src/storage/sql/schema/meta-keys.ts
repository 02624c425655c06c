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
  /** The version of the index terms: of all memories, or of those up to `analyzedUpTo`. */
  termsVersion: 'terms_version',
  /** The position up to which memories have the index terms of that version; missing if all do. */
  analyzedUpTo: 'analyzed_up_to',
} as const;

/** To be raised when the same text gets other index terms, so that stored ones are updated. */
export const indexTermsVersion = '4';
