import type { FeedbackTable, ProjectRef, StoredFeedback } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const feedbackStatements: StatementsOf<FeedbackTable> = {
  put: { scope: 'project', run: putFeedback },
};

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
