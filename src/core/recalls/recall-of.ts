import type { StoredProject, StoredRecall } from '../ports/index.ts';
import type { Answered, RecallDeps } from './answered.ts';

/** The part of an answer that the project keeps; nothing is computed or loaded if it keeps none. */
export async function recallOf(
  deps: RecallDeps,
  project: StoredProject,
  answered: () => Answered,
): Promise<StoredRecall | undefined> {
  if (project.settings.keep_recalls === 'off') return undefined;
  const { toStoredRecall } = await import('./keep-recall.ts'); // few projects keep recalls
  return toStoredRecall(deps, project, answered());
}
