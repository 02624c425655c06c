import type { Tables } from '../../core/ports/index.ts';
import type { DbContext } from '../sql/db-context.ts';
import type { AnyStatement, StatementCall, StatementsOf } from '../sql/statement.ts';
import { entityStatements } from './entities/entities.ts';
import { erasureStatements } from './erasure/statements.ts';
import { analysisStatements } from './memories/analysis.ts';
import { archiveStatements } from './memories/archive.ts';
import { documentStatements } from './memories/documents.ts';
import { feedbackStatements } from './memories/feedback.ts';
import { historyStatements } from './memories/history.ts';
import { languageStatements } from './memories/languages.ts';
import { memoryStatements } from './memories/memories.ts';
import { relationStatements } from './memories/relations.ts';
import { versionStatements } from './memories/versions.ts';
import { vectorStatements } from './search/vectors.ts';
import { auditStatements } from './system/audit.ts';
import { shortIdStatements } from './system/short-ids.ts';
import { tokenUsageStatements } from './system/token-usage.ts';
import { accountStatements } from './tenants/accounts.ts';
import { apiKeyStatements } from './tenants/api-keys.ts';
import { memberStatements } from './tenants/members.ts';
import { organizationStatements } from './tenants/organizations.ts';
import { projectStatements } from './tenants/projects.ts';
import { sessionStatements } from './tenants/sessions.ts';
import { deliveryStatements } from './work/deliveries.ts';
import { eventStatements } from './work/events.ts';
import { exportStatements } from './work/exports.ts';
import { idempotencyKeyStatements } from './work/idempotency-keys.ts';
import { jobStepStatements } from './work/job-steps.ts';
import { jobStatements } from './work/jobs.ts';
import { recallStatements } from './work/recalls.ts';
import { webhookStatements } from './work/webhooks.ts';

const tableStatements: { [T in keyof Tables]: StatementsOf<Tables[T]> } = {
  accounts: accountStatements,
  organizations: organizationStatements,
  projects: projectStatements,
  members: memberStatements,
  keys: apiKeyStatements,
  sessions: sessionStatements,
  webhooks: webhookStatements,
  deliveries: deliveryStatements,
  exports: exportStatements,
  documents: documentStatements,
  idempotencyKeys: idempotencyKeyStatements,
  memories: memoryStatements,
  entities: entityStatements,
  history: historyStatements,
  feedback: feedbackStatements,
  relations: relationStatements,
  events: eventStatements,
  jobs: jobStatements,
  jobSteps: jobStepStatements,
  archive: archiveStatements,
  erasure: erasureStatements,
  audit: auditStatements,
  languages: languageStatements,
  analysis: analysisStatements,
  tokens: tokenUsageStatements,
  vectors: vectorStatements,
  versions: versionStatements,
  recalls: recallStatements,
  shortIds: shortIdStatements,
};

/** The tables of a store, of which each function is such a call. */
export function bindTables(call: StatementCall): Tables {
  const tables: Record<string, Record<string, unknown>> = {};
  for (const [table, statements] of Object.entries(tableStatements)) {
    const bound: Record<string, unknown> = {};
    for (const [name, statement] of Object.entries<AnyStatement>(statements))
      bound[name] = (...args: never[]) => call(statement, args);
    tables[table] = bound;
  }
  return tables as Tables; // one function for each statement, whose types are those of the ports
}

/** All tables of a store, on one connection. */
export function createTables(at: DbContext): Tables {
  return bindTables(callOn(at));
}

/** Runs statements on one connection. */
export function callOn(at: DbContext): StatementCall {
  return ({ run }, args) => run(at, ...args);
}
