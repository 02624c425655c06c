import type { Tables } from '../core/ports/index.ts';
import { createAccountTable } from './tables/accounts.ts';
import { createAnalysisTable } from './tables/analysis.ts';
import { createAnswerTable } from './tables/answers.ts';
import { createArchiveTable } from './tables/archive.ts';
import type { At } from './tables/at.ts';
import { createDeliveryTable } from './tables/deliveries.ts';
import { createDocumentTable } from './tables/documents.ts';
import { createEntityTable } from './tables/entities.ts';
import { createEventTable } from './tables/events.ts';
import { createExportTable } from './tables/exports.ts';
import { createFeedbackTable } from './tables/feedback.ts';
import { createHistoryTable } from './tables/history.ts';
import { createJobTable } from './tables/jobs.ts';
import { createKeyTable } from './tables/keys.ts';
import { createLanguageTable } from './tables/languages.ts';
import { createMemberTable } from './tables/members.ts';
import { createMemoryTable } from './tables/memories.ts';
import { createOrganizationTable } from './tables/organizations.ts';
import { createPartTable } from './tables/parts.ts';
import { createProjectTable } from './tables/projects.ts';
import { createRelationTable } from './tables/relations.ts';
import { createTokenTable } from './tables/tokens.ts';
import { createVectorTable } from './tables/vectors.ts';
import { createWebhookTable } from './tables/webhooks.ts';

/** All tables of a store. */
export function createTables(at: At): Tables {
  return {
    accounts: createAccountTable(at),
    organizations: createOrganizationTable(at),
    projects: createProjectTable(at),
    members: createMemberTable(at),
    keys: createKeyTable(at),
    webhooks: createWebhookTable(at),
    deliveries: createDeliveryTable(at),
    exports: createExportTable(at),
    documents: createDocumentTable(at),
    idempotencyKeys: createAnswerTable(at),
    memories: createMemoryTable(at),
    entities: createEntityTable(at),
    history: createHistoryTable(at),
    feedback: createFeedbackTable(at),
    relations: createRelationTable(at),
    events: createEventTable(at),
    jobs: createJobTable(at),
    jobSteps: createPartTable(at),
    archive: createArchiveTable(at),
    languages: createLanguageTable(at),
    analysis: createAnalysisTable(at),
    tokens: createTokenTable(at),
    vectors: createVectorTable(at),
  };
}
