import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { RowOf } from './schema/table.ts';
import type { tables } from './schema/tables.ts';

/** Tables that queries read and write on every engine. */
type SharedTables = StrictOmit<typeof tables, 'vectors' | 'memory_fts'>;

/** The rows of all tables, as their descriptions in `schema/` say. */
export type DatabaseSchema = { [N in keyof SharedTables]: RowOf<SharedTables[N]> };

export type AccountRow = DatabaseSchema['accounts'];
export type OrganizationRow = DatabaseSchema['organizations'];
export type ProjectRow = DatabaseSchema['projects'];
export type ApiKeyRow = DatabaseSchema['api_keys'];
export type EntityRow = DatabaseSchema['entities'];
export type MemoryRow = DatabaseSchema['memories'];
export type MemoryVersionRow = DatabaseSchema['memory_versions'];
export type HistoryRow = DatabaseSchema['history'];
export type EventRow = DatabaseSchema['events'];
export type JobRow = DatabaseSchema['jobs'];
export type WebhookRow = DatabaseSchema['webhooks'];
export type DeliveryRow = DatabaseSchema['deliveries'];
export type ExportRow = DatabaseSchema['exports'];
export type RecallRow = DatabaseSchema['recalls'];
export type AuditLogRow = DatabaseSchema['audit_log'];
export type EmbeddingModelRow = DatabaseSchema['embedding_models'];
