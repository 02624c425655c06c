import type { Tables } from '../../core/ports/index.ts';
import type { DbContext } from '../sql/db-context.ts';
import { createEntityTable } from './entities/entities.ts';
import { lazyErasureTable } from './erasure/lazy-erasure.ts';
import { createAnalysisTable } from './memories/analysis.ts';
import { createArchiveTable } from './memories/archive.ts';
import { createDocumentTable } from './memories/documents.ts';
import { createFeedbackTable } from './memories/feedback.ts';
import { createHistoryTable } from './memories/history.ts';
import { createLanguageTable } from './memories/languages.ts';
import { createMemoryTable } from './memories/memories.ts';
import { createRelationTable } from './memories/relations.ts';
import { createVersionTable } from './memories/versions.ts';
import { createVectorTable } from './search/vectors.ts';
import { createAuditTable } from './system/audit.ts';
import { createShortIdTable } from './system/short-ids.ts';
import { createTokenUsageTable } from './system/token-usage.ts';
import { createAccountTable } from './tenants/accounts.ts';
import { createApiKeyTable } from './tenants/api-keys.ts';
import { createMemberTable } from './tenants/members.ts';
import { createOrganizationTable } from './tenants/organizations.ts';
import { createProjectTable } from './tenants/projects.ts';
import { createSessionTable } from './tenants/sessions.ts';
import { createDeliveryTable } from './work/deliveries.ts';
import { createEventTable } from './work/events.ts';
import { createExportTable } from './work/exports.ts';
import { createIdempotencyKeyTable } from './work/idempotency-keys.ts';
import { createJobStepTable } from './work/job-steps.ts';
import { createJobTable } from './work/jobs.ts';
import { createRecallTable } from './work/recalls.ts';
import { createWebhookTable } from './work/webhooks.ts';

/** All tables of a store. */
export function createTables(at: DbContext): Tables {
  return {
    accounts: createAccountTable(at),
    organizations: createOrganizationTable(at),
    projects: createProjectTable(at),
    members: createMemberTable(at),
    keys: createApiKeyTable(at),
    sessions: createSessionTable(at),
    webhooks: createWebhookTable(at),
    deliveries: createDeliveryTable(at),
    exports: createExportTable(at),
    documents: createDocumentTable(at),
    idempotencyKeys: createIdempotencyKeyTable(at),
    memories: createMemoryTable(at),
    entities: createEntityTable(at),
    history: createHistoryTable(at),
    feedback: createFeedbackTable(at),
    relations: createRelationTable(at),
    events: createEventTable(at),
    jobs: createJobTable(at),
    jobSteps: createJobStepTable(at),
    archive: createArchiveTable(at),
    erasure: lazyErasureTable(at),
    audit: createAuditTable(at),
    languages: createLanguageTable(at),
    analysis: createAnalysisTable(at),
    tokens: createTokenUsageTable(at),
    vectors: createVectorTable(at),
    versions: createVersionTable(at),
    recalls: createRecallTable(at),
    shortIds: createShortIdTable(at),
  };
}
