import type { Parsed } from '../../contract.ts';
import { addContextOf } from '../extraction/add-context.ts';
import type {
  Conversation,
  Decision,
  Deps,
  ExtractionResult,
  PlannedDecision,
  StoredProject,
} from '../ports/index.ts';
import { saidAt } from './add-context.ts';
import { findRelatedMemories } from './related-memories.ts';
import { extractionSettingsOf } from './settings.ts';

/** Takes a writer some hundredths of a second. */
export const decisionsPerTransaction = 100;

type AddToExtract = {
  input: Parsed<'add_memory'>;
  project: StoredProject;
  /** What the event's metadata holds already. */
  metadata: Record<string, unknown>;
};

/** Decisions with what they were made of, and what the event tells of how they were made. */
export type ExtractedAdd = { decisions: PlannedDecision[]; metadata: Record<string, unknown> };

/** Has the messages of an add understood beside what is known of their people. */
export async function extractAdd(
  deps: Pick<Deps, 'store' | 'clock'>,
  { input, project, metadata }: AddToExtract,
  understand: (conversation: Conversation) => Promise<ExtractionResult>,
): Promise<ExtractedAdd> {
  const { messages = [] } = input;
  const scope = addContextOf(input, project);
  const { memories: known, hashes } = await findRelatedMemories(deps, project, {
    messages,
    ids: scope,
  });
  const now = deps.clock.now();
  const said_at = saidAt(deps, scope);
  const settings = extractionSettingsOf(input, project.settings);
  const { graph } = scope;
  const { decisions, ...made } = await understand({
    messages,
    known,
    now,
    said_at,
    settings,
    graph,
  });
  const filed = settings.categories === null ? await applyDefaultCategories(decisions) : decisions;
  const planned = filed.map((decision) => {
    // What was not given can't be meant.
    const expected = hashes.get(decision.target ?? '') ?? null;
    return { ...decision, target: expected === null ? null : decision.target, expected };
  });
  return { decisions: planned, metadata: { ...metadata, ...extractionMetadata(made) } };
}

/** Those whose categories nobody chose are filed under the default catalogue. */
async function applyDefaultCategories(decisions: readonly Decision[]): Promise<Decision[]> {
  const { withDefaultCategories } = await import('./categories.ts'); // with the rules' words
  return decisions.map(withDefaultCategories);
}

/** Only what there is to tell. */
function extractionMetadata({ by, notice, cost, dropped }: Omit<ExtractionResult, 'decisions'>) {
  return {
    by,
    ...(notice !== null && { notice }),
    ...(cost !== null && { cost }),
    ...(dropped !== undefined && Object.keys(dropped).length > 0 && { dropped }),
  };
}
