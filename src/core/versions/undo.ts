import type { MemoryDifference } from '../../contract/operations/changes.ts';
import type { Output, Parsed } from '../../contract.ts';
import { changedFields } from '../history/read-history.ts';
import { changeResult, recordEvent } from '../history/record.ts';
import { entityIdsOfFilter, selectAllMatching } from '../memory/selection.ts';
import type { Deps, ProjectCall } from '../ports/index.ts';
import { withOutbox } from '../webhooks/outbox.ts';
import { planUndoChanges, type Restoration, type UndoChangesPlan } from './plan-undo-changes.ts';
import { restoreMemories } from './restore.ts';

/** All or nothing: what is in conflict is named and left alone, and the rest is one transaction. */
export async function undoChanges(
  deps: Deps,
  input: Parsed<'undo_changes'>,
  { project }: ProjectCall,
): Promise<Output<'undo_changes'>> {
  if (input.dry_run) {
    const plan = await planUndoChanges(deps, { tables: deps.store, project }, input);
    const changes = plan.restorations.map(toChange);
    const message = messageOf(plan.redo ? 'This would undo your undo' : 'This would undo', changes);
    const { conflicts } = plan;
    return { message, event_id: null, dry_run: true, changes, conflicts, ...redoOf(plan) };
  }
  return withOutbox(deps, project, async (unit) => {
    const plan = await planUndoChanges(deps, unit, input);
    const { restorations, conflicts } = plan;
    const changes = restorations.map(toChange);
    const message = messageOf(plan.redo ? 'Undid the undo' : 'Undone', changes);
    const answer = { message, dry_run: false, changes, conflicts, ...redoOf(plan) };
    if (changes.length === 0) return { ...answer, event_id: null };
    await restoreMemories(deps, unit, restorations);
    const { event_id: undone, memory_id, as_of, since, key_id } = input;
    const event_id = await recordEvent(deps, unit, {
      event_type: 'UNDO',
      payload: { event_id: undone, memory_id, as_of, since, key_id },
      results: restorations.map(toResult),
      ...entityIdsOfFilter(selectAllMatching(input).filter),
    });
    return { ...answer, event_id };
  });
}

function redoOf({ redo, restorations }: UndoChangesPlan): { redo?: true } {
  return redo && restorations.length > 0 ? { redo } : {};
}

function eventOf({ from, to }: Restoration): MemoryDifference['event'] {
  if (from === null) return 'ADD';
  return to === null ? 'DELETE' : 'UPDATE';
}

function toChange(restoration: Restoration): MemoryDifference {
  const { id, from, to } = restoration;
  const texts = { old_memory: from?.memory ?? null, memory: to?.memory ?? null };
  const changed = from && to ? changedFields(from, to) : undefined;
  return { id, event: eventOf(restoration), ...texts, ...(changed && { changed }) };
}

function toResult(restoration: Restoration) {
  const memory = restoration.to ?? restoration.from;
  if (memory === null) throw new Error('an undo restores what was there');
  return changeResult(eventOf(restoration), memory);
}

function messageOf(what: string, changes: readonly MemoryDifference[]): string {
  if (changes.length === 0) return 'Nothing to undo';
  const count = (event: MemoryDifference['event']) =>
    changes.filter((change) => change.event === event).length;
  const parts = [
    ['brought back', count('ADD')],
    ['changed back', count('UPDATE')],
    ['removed', count('DELETE')],
  ] as const;
  const outcomes = parts.filter(([, number]) => number > 0);
  return `${what}: ${outcomes.map(([how, number]) => `${number} ${how}`).join(', ')}`;
}
