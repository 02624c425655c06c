import type { DbSession, SqlDialect } from './dialect.ts';

/** Where statements run: a database or a transaction on it, and the SQL of its engine. */
export type DbContext = DbSession & { dialect: SqlDialect };
