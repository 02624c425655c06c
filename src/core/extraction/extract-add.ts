import type { StrictOmit } from '../../contract/strict-omit.ts';
import { toWallClock } from '../../contract/wall-clock.ts';
import type { Parsed } from '../../contract.ts';
import { mapInTurns, runInTurns } from '../../turns.ts';
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
import { occurrenceInZone } from './dates/occurrence-in-zone.ts';
import { findRelatedMemories } from './related-memories.ts';
import { extractionSettingsOf } from './settings.ts';

/** A transaction of this size takes some hundredths of a second. */
export const decisionsPerTransaction = 100;

type AddToExtract = {
  input: Parsed<'add_memory'>;
  project: StoredProject;
  /** The event's metadata so far. */
  metadata: Record<string, unknown>;
};

/**
 * The decisions of an add, the event's metadata on how they were made, and the input as it is kept:
 * without what the user asked not to remember.
 */
export type ExtractedAdd = {
  decisions: PlannedDecision[];
  metadata: Record<string, unknown>;
  input: Parsed<'add_memory'>;
};

/** Extracts decisions from the messages of an add, given the memories related to them. */
export async function extractAdd(
  deps: Pick<Deps, 'store' | 'clock' | 'timezone'>,
  { input, project, metadata }: AddToExtract,
  extract: (conversation: Conversation) => Promise<ExtractionResult>,
): Promise<ExtractedAdd> {
  const { messages = [] } = input;
  const scope = addContextOf(input, project, deps);
  const { memories: known, hashes } = await findRelatedMemories(deps, project, {
    messages,
    ids: scope,
  });
  const said_at = saidAt(deps, scope);
  const { timezone = 'UTC' } = deps;
  const settings = extractionSettingsOf(input, project.settings);
  const { graph } = scope;
  const { decisions, open, ...made } = await extract({
    messages,
    known,
    said_at,
    local_time: toWallClock(said_at, timezone),
    settings,
    graph,
  });
  const filed = settings.categories === null ? await applyDefaultCategories(decisions) : decisions;
  const judged = project.settings.review === 'unsure' ? await withConfidence(filed) : filed;
  const planned = judged.map((decision) => {
    // A target that the extractor did not receive is not valid.
    const expected = hashes.get(decision.target ?? '') ?? null;
    const occurred = decision.occurred && occurrenceInZone(decision.occurred, timezone);
    return { ...decision, occurred, target: expected === null ? null : decision.target, expected };
  });
  const kept = open === undefined ? input : { ...input, messages: open };
  return {
    decisions: planned,
    metadata: { ...metadata, ...extractionMetadata(made) },
    input: kept,
  };
}

/** Gives decisions without categories those of the default catalogue. */
async function applyDefaultCategories(decisions: readonly Decision[]): Promise<Decision[]> {
  const { withDefaultCategories } = await import('./categories.ts'); // with the rules' words
  return runInTurns(mapInTurns(decisions, withDefaultCategories));
}

/** Only a project that reviews what is unsure pays for it. */
async function withConfidence(decisions: readonly Decision[]): Promise<Decision[]> {
  const { confidenceOf } = await import('./confidence.ts');
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
