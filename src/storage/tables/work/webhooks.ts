import type { Insertable, Selectable, Updateable } from 'kysely';
import type { ProjectRef, StoredWebhook, WebhookTable } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { WebhookRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { getProject } from '../tenants/projects.ts';
import { pauseDeliveries, resumeDeliveries } from './delivery-queue.ts';

export const webhookStatements: StatementsOf<WebhookTable> = {
  findInAnyProject: { scope: 'queue', run: locateWebhook },
  insert: { scope: 'project', run: insertWebhook },
  list: { scope: 'project', run: listWebhooks },
  update: { scope: 'project', run: updateWebhook, queuesWork: true },
  delete: { scope: 'project', run: deleteWebhook },
};

async function locateWebhook(
  at: DbContext,
  webhook_id: string,
): Promise<{ project: ProjectRef; webhook: StoredWebhook } | null> {
  const webhooks = at.db.selectFrom('webhooks').selectAll().where('webhook_id', '=', webhook_id);
  const row = await webhooks.executeTakeFirst();
  if (row === undefined) return null;
  return { project: await getProject(at, row.project_key), webhook: toWebhook(row) };
}

async function insertWebhook(
  { db }: DbContext,
  project: ProjectRef,
  webhook: StoredWebhook,
): Promise<void> {
  await db.insertInto('webhooks').values(toRow(project, webhook)).execute();
}

/** Oldest first. */
async function listWebhooks(at: DbContext, project: ProjectRef): Promise<StoredWebhook[]> {
  return (await listRows(at, { project_key: project.key })).map(toWebhook);
}

const listRows = prepareStatement((db, value: StatementParameters<{ project_key: number }>) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('project_key', '=', value('project_key'))
    .orderBy('position'),
);

type StoredWebhookPatch = Parameters<WebhookTable['update']>[2];

async function updateWebhook(
  at: DbContext,
  project: ProjectRef,
  webhook_id: string,
  patch: StoredWebhookPatch,
): Promise<void> {
  await at.db
    .updateTable('webhooks')
    .set(toRowPatch(patch))
    .where('project_key', '=', project.key)
    .where('webhook_id', '=', webhook_id)
    .execute();
  if (patch.is_active === false) await pauseDeliveries(at, project, webhook_id);
  if (patch.is_active === true) await resumeDeliveries(at, project, webhook_id);
}

async function deleteWebhook(
  { db }: DbContext,
  project: ProjectRef,
  webhook_id: string,
): Promise<void> {
  for (const table of ['deliveries', 'webhooks'] as const) {
    await db
      .deleteFrom(table)
      .where('project_key', '=', project.key)
      .where('webhook_id', '=', webhook_id)
      .execute();
  }
}

function toRow(project: ProjectRef, webhook: StoredWebhook): Insertable<WebhookRow> {
  return {
    ...webhook,
    project_key: project.key,
    event_types: toJson(webhook.event_types),
    is_active: webhook.is_active ? 1 : 0,
  };
}

function toRowPatch({
  event_types,
  is_active,
  ...patch
}: StoredWebhookPatch): Updateable<WebhookRow> {
  return {
    ...patch,
    ...(event_types === undefined ? {} : { event_types: toJson(event_types) }),
    ...(is_active === undefined ? {} : { is_active: is_active ? 1 : 0 }),
  };
}

function toWebhook(row: Selectable<WebhookRow>): StoredWebhook {
  const { position: _, project_key: __, short_id: ___, ...webhook } = row;
  return {
    ...webhook,
    event_types: fromJson<StoredWebhook['event_types']>(row.event_types),
    is_active: row.is_active === 1,
  };
}
