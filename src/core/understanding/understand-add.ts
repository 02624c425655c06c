import type { Parsed } from '../../contract/index.ts';
import { scopeOf } from '../memory/add-input.ts';
import { saidAt } from '../memory/add-scope.ts';
import { wishesOf } from '../memory/wishes.ts';
import type {
  Conversation,
  Decision,
  Deps,
  PlannedDecision,
  StoredProject,
  Understanding,
} from '../ports.ts';
import { findKnown } from './known.ts';

/** Takes a writer some hundredths of a second. */
export const decisionsAtOnce = 100;

type Add = {
  input: Parsed<'add_memory'>;
  project: StoredProject;
  /** What the event's metadata holds already. */
  metadata: Record<string, unknown>;
};

/** Decisions with what they were made of, and what the event tells of how they were made. */
export type Understood = { decisions: PlannedDecision[]; metadata: Record<string, unknown> };

/** Has the messages of an add understood beside what is known of their people. */
export async function understandAdd(
  deps: Pick<Deps, 'store' | 'clock'>,
  { input, project, metadata }: Add,
  understand: (conversation: Conversation) => Promise<Understanding>,
): Promise<Understood> {
  const { messages = [] } = input;
  const scope = scopeOf(input, project);
  const { memories: known, hashes } = await findKnown(deps, project, { messages, ids: scope });
  const now = deps.clock.now();
  const said_at = saidAt(deps, scope);
  const wishes = wishesOf(input, project.settings);
  const { graph } = scope;
  const { decisions, ...made } = await understand({ messages, known, now, said_at, wishes, graph });
  const filed = wishes.categories === null ? await byDefault(decisions) : decisions;
  const planned = filed.map((decision) => {
    // What was not given can't be meant.
    const expected = hashes.get(decision.target ?? '') ?? null;
    return { ...decision, target: expected === null ? null : decision.target, expected };
  });
  return { decisions: planned, metadata: { ...metadata, ...toMetadata(made) } };
}

/** Those whose categories nobody chose are filed under the default catalogue. */
async function byDefault(decisions: readonly Decision[]): Promise<Decision[]> {
  const { categorized } = await import('./categories.ts'); // with the rules' words
  return decisions.map(categorized);
}

/** Only what there is to tell. */
function toMetadata({ by, notice, cost, dropped }: Omit<Understanding, 'decisions'>) {
  return {
    by,
    ...(notice !== null && { notice }),
    ...(cost !== null && { cost }),
    ...(dropped !== undefined && Object.keys(dropped).length > 0 && { dropped }),
  };
}
