import type { StrictOmit } from '../../contract/strict-omit.ts';
import { toWallClock } from '../../contract/wall-clock.ts';
import { mapInTurns, runInTurns } from '../../turns.ts';
import { occurrenceInZone } from '../extraction/dates/occurrence-in-zone.ts';
import { findRelatedMemories } from '../extraction/related-memories.ts';
import type {
  Conversation,
  Decision,
  Deps,
  ExtractionResult,
  PlannedDecision,
} from '../ports/index.ts';
import { type Add, saidAt } from './add-context.ts';

/** A transaction of this size takes some hundredths of a second. */
export const decisionsPerTransaction = 100;

/**
 * The decisions of an add, and the add as it is kept: its metadata tells how they were made, and
 * its messages lack what the user asked not to remember.
 */
export type ExtractedAdd = { add: Add; decisions: PlannedDecision[] };

/** Extracts decisions from the messages of an add, given the memories related to them. */
export async function extractAdd(
  deps: Pick<Deps, 'store' | 'clock' | 'timezone'>,
  add: Add,
  extract: (conversation: Conversation) => Promise<ExtractionResult>,
): Promise<ExtractedAdd> {
  const { input, project, scope } = add;
  const { messages = [] } = input;
  const related = await findRelatedMemories(deps, project, { messages, ids: scope });
  const said_at = saidAt(deps, scope);
  const { timezone = 'UTC' } = deps;
  const { graph, extraction: settings } = scope;
  const { decisions, open, ...account } = await extract({
    messages,
    known: related.memories,
    said_at,
    local_time: toWallClock(said_at, timezone),
    settings,
    graph,
  });
  const filedDecisions =
    settings.categories === null ? await applyDefaultCategories(decisions) : decisions;
  const judgedDecisions =
    scope.trust.review === 'unsure' ? await withConfidence(filedDecisions) : filedDecisions;
  const plannedDecisions = judgedDecisions.map((decision) => {
    // A target that the extractor did not receive is not valid.
    const expected = related.hashes.get(decision.target ?? '') ?? null;
    const occurred = decision.occurred && occurrenceInZone(decision.occurred, timezone);
    return { ...decision, occurred, target: expected === null ? null : decision.target, expected };
  });
  const metadata = { ...add.metadata, ...extractionMetadata(account) };
  const keptInput = open === undefined ? input : { ...input, messages: open };
  return { add: { ...add, metadata, input: keptInput }, decisions: plannedDecisions };
}

/** Gives decisions without categories those of the default catalogue. */
async function applyDefaultCategories(decisions: readonly Decision[]): Promise<Decision[]> {
  // Has the words of the rules.
  const { withDefaultCategories } = await import('../extraction/categories.ts');
  return runInTurns(mapInTurns(decisions, withDefaultCategories));
}

/** Only a project that reviews what is unsure pays for it. */
async function withConfidence(decisions: readonly Decision[]): Promise<Decision[]> {
  const { confidenceOf } = await import('../extraction/confidence.ts');
  return decisions.map((decision) => ({ ...decision, confidence: confidenceOf(decision) }));
}

/** Omits empty fields. */
function extractionMetadata({
  by,
  notice,
  cost,
  dropped,
}: StrictOmit<ExtractionResult, 'decisions' | 'open'>) {
  return {
    by,
    ...(notice !== null && { notice }),
    ...(cost !== null && { cost }),
    ...(dropped !== undefined && Object.keys(dropped).length > 0 && { dropped }),
  };
}
