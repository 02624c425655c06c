import { ApiError } from '../../contract/errors.ts';
import { type DatabaseReport, inspectPostgres } from '../../storage/postgres/inspect.ts';
import { type Check, failed, ok, warning } from './check.ts';
import { resumeAdvice } from './local-checks.ts';

/** Looks at the database that a configuration names. Changes and creates nothing. */
export async function checkDatabase(url: string): Promise<Check[]> {
  const name = 'Database';
  try {
    const report = await inspectPostgres(url);
    return [
      checkTables(name, report),
      ...checkMove(report),
      checkVector(report),
      checkRoles(report),
      ...checkPooler(report),
      ...checkTls(report),
      ...checkKeys(report),
    ];
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    if (!(error instanceof ApiError)) return [{ name, status: 'failed', found }];
    return [failed(name, found, 'Nothing was changed.')];
  }
}

function checkTables(name: string, report: DatabaseReport): Check {
  const { shown, server, schema, isCurrent, store } = report;
  const where = `${shown}, PostgreSQL ${server}`;
  if (store === null) return ok(name, `${where}: tables will be made`);
  const { memories, bytes } = store;
  const size = `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
  const found = `${where}: memories ${memories}, size ${size}, schema ${schema}`;
  if (isCurrent) return ok(name, found);
  return warning(name, found, 'The next start of mneme brings its tables up to date.');
}

function checkMove({ move }: DatabaseReport): Check[] {
  const name = 'Move';
  if (move === null) return [];
  if (move === 'at work') {
    const found = 'mneme migrate is moving a store into this database';
    return [warning(name, found, 'Wait for its end; until then no server uses the database.')];
  }
  const found =
    'a move into this database began and did not end: a part is there, and no server uses it';
  const advice = `${resumeAdvice} Or begin anew: drop schema mneme cascade.`;
  return [failed(name, found, advice)];
}

function checkVector({ vector_version, vector_available, has_graphs }: DatabaseReport): Check {
  const name = 'pgvector';
  if (vector_version !== null && !has_graphs) {
    const found = `${vector_version}: large projects are searched by meaning without a graph`;
    const advice =
      'Install pgvector 0.7 or later on the server; then: alter extension vector update.';
    return warning(name, found, advice);
  }
  if (vector_version !== null) return ok(name, vector_version);
  if (vector_available) return ok(name, 'will be made in this database');
  const found = 'missing: memories are found by their words only';
  return warning(name, found, 'Install pgvector on the database server to search by meaning too.');
}

function checkRoles({ has_roles, is_superuser, store }: DatabaseReport): Check {
  const name = 'Database roles';
  if (is_superuser) {
    const found = 'database_url names a superuser';
    return warning(name, found, 'Give mneme a user of its own: docs/postgres.md says how.');
  }
  if (has_roles) return ok(name, 'requests see one project each');
  if (store === null) return ok(name, 'will be made');
  const advice = 'Grant mneme_app and mneme_queue to the user of database_url.';
  return failed(name, 'the user may not work as they do', advice);
}

function checkPooler({ isPooled }: DatabaseReport): Check[] {
  if (!isPooled) return [];
  const found = 'in between: work of other processes is found within 2 seconds; no graphs are made';
  return [ok('Pooler', found)];
}

function checkTls({ isPrivate }: DatabaseReport): Check[] {
  if (isPrivate) return [];
  const name = 'Database connection';
  const advice = 'Add ?sslmode=verify-full to database_url.';
  return [warning(name, 'without TLS, to another machine', advice)];
}

function checkKeys({ store }: DatabaseReport): Check[] {
  if (store === null) return [];
  const { keys } = store;
  const found =
    keys === 0 ? 'none yet; mneme serve makes one at its first start' : `${keys} in use`;
  return [ok('API keys', found)];
}
