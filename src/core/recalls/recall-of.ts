import type { StoredProject, StoredRecall } from '../ports/index.ts';
import type { Answered, RecallDeps } from './answered.ts';

/** What the project keeps of an answer; nothing is made or loaded if that is nothing. */
export async function recallOf(
  deps: RecallDeps,
  project: StoredProject,
  answered: () => Answered,
): Promise<StoredRecall | undefined> {
  if (project.settings.keep_recalls === 'off') return undefined;
  const { toStoredRecall } = await import('./keep-recall.ts'); // few projects keep recalls
  return toStoredRecall(deps, project, answered());
}
