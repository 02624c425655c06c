import type { Dialect, Session } from '../dialects/dialect.ts';

/** Where statements run: a database or a transaction on it, and the SQL of its engine. */
export type At = Session & { dialect: Dialect };
