import type { Database, Dialect } from '../dialects/dialect.ts';

/** Where statements run: a database or a transaction on it, and the SQL of its engine. */
export type At = { db: Database; dialect: Dialect };
