import type { Config } from '../../config/options.ts';
import { ApiError, reasonOf } from '../../contract/errors.ts';
import { type DatabaseReport, inspectPostgres } from '../../storage/postgres/inspect.ts';
import { type Check, failed, ok, warning } from './check.ts';
import { resumeAdvice } from './local-checks.ts';
import { checkVersions, prunedBefore } from './version-check.ts';

/** Checks the configured database without changing it. */
export async function checkDatabase(
  url: string,
  values: Pick<Config, 'history_days'> = { history_days: 0 },
): Promise<Check[]> {
  const name = 'Database';
  try {
    const report = await inspectPostgres(url, { versions_before: prunedBefore(values) });
    return [
      checkTables(name, report),
      ...checkMove(report),
      checkVector(report),
      checkRoles(report),
      ...checkPooler(report),
      ...checkTls(report),
      ...checkKeys(report),
      ...checkVersions(report.store?.versions ?? null, values),
    ];
  } catch (error) {
    const finding = reasonOf(error);
    if (!(error instanceof ApiError)) return [{ name, status: 'failed', found: finding }];
    return [failed(name, finding, 'Nothing was changed.')];
  }
}

function checkTables(name: string, report: DatabaseReport): Check {
  const { shown, server, schema, isCurrent, store } = report;
  const where = `${shown}, PostgreSQL ${server}`;
  if (store === null) return ok(name, `${where}: tables will be created`);
  const { memories, bytes } = store;
  const size = `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
  const finding = `${where}: memories ${memories}, size ${size}, schema ${schema}`;
  if (isCurrent) return ok(name, finding);
  return warning(name, finding, 'mneme updates the tables the next time it starts.');
}

function checkMove({ move }: DatabaseReport): Check[] {
  const name = 'Move';
  if (move === null) return [];
  if (move === 'at work') {
    const finding = 'mneme migrate is moving a store into this database';
    return [
      warning(name, finding, 'Wait until it has finished; no server can use the database before.'),
    ];
  }
  const finding =
    'an interrupted `mneme migrate` left a partial copy here; no server can use the database';
  const advice = `${resumeAdvice} Or start over: drop schema mneme cascade.`;
  return [failed(name, finding, advice)];
}

function checkVector({ vector_version, vector_available, has_graphs }: DatabaseReport): Check {
  const name = 'pgvector';
  if (vector_version !== null && !has_graphs) {
    const finding = `${vector_version}: too old for vector indexes; searches scan whole projects`;
    const advice =
      'Install pgvector 0.7 or later on the server, then run: alter extension vector update.';
    return warning(name, finding, advice);
  }
  if (vector_version !== null) return ok(name, vector_version);
  if (vector_available) return ok(name, 'will be created in this database');
  const finding = 'not installed: only keyword search works';
  return warning(
    name,
    finding,
    'Install pgvector on the database server to enable semantic search.',
  );
}

function checkRoles({ has_roles, is_superuser, store }: DatabaseReport): Check {
  const name = 'Database roles';
  if (is_superuser) {
    const finding = 'database_url names a superuser';
    return warning(
      name,
      finding,
      'Create a separate user for mneme; docs/postgres.md explains how.',
    );
  }
  if (has_roles) return ok(name, 'each request sees only its project');
  if (store === null) return ok(name, 'will be created');
  const advice = 'Grant the roles mneme_app and mneme_queue to the user of database_url.';
  return failed(name, 'the user of database_url lacks the roles mneme_app and mneme_queue', advice);
}

function checkPooler({ isPooled }: DatabaseReport): Check[] {
  if (!isPooled) return [];
  const finding =
    'in use: jobs of other processes start within 2 seconds; vector indexes are not built';
  return [ok('Pooler', finding)];
}

function checkTls({ isPrivate }: DatabaseReport): Check[] {
  if (isPrivate) return [];
  const name = 'Database connection';
  const advice = 'Add ?sslmode=verify-full to database_url.';
  return [warning(name, 'to another machine without TLS', advice)];
}

function checkKeys({ store }: DatabaseReport): Check[] {
  if (store === null) return [];
  const { keys } = store;
  const finding =
    keys === 0 ? 'none yet; mneme serve creates one at its first start' : `${keys} in use`;
  return [ok('API keys', finding)];
}
