import { sql } from 'kysely';
import type { FeedbackTable, ProjectRef, StoredFeedback } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';

export function createFeedbackTable(at: DbContext): FeedbackTable {
  return {
    put: (project, feedback) => putFeedback(at, project, feedback),
    deleteByMemories: (project, memory_ids) => deleteFeedback(at, project, memory_ids),
  };
}

async function putFeedback(
  { db }: DbContext,
  project: ProjectRef,
  feedback: StoredFeedback,
): Promise<StoredFeedback> {
  const { id: _, memory_id: __, ...rating } = feedback;
  const row = await db
    .insertInto('feedback')
    .values({ ...feedback, project_key: project.key })
    .onConflict((conflict) => conflict.columns(['project_key', 'memory_id']).doUpdateSet(rating))
    .returning(['id', 'memory_id', 'feedback', 'feedback_reason', 'created_at'])
    .executeTakeFirstOrThrow();
  return { ...row };
}

async function deleteFeedback(
  { db, dialect }: DbContext,
  project: ProjectRef,
  memory_ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('feedback')
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('feedback.memory_id'), memory_ids))
    .execute();
}
