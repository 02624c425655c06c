import type { FeedbackTable, ProjectRef, StoredFeedback } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';

export function createFeedbackTable(at: DbContext): FeedbackTable {
  return {
    put: (project, feedback) => putFeedback(at, project, feedback),
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
