import { completedEvent } from '../history/record.ts';
import type { Deps, Instant, ProjectRef } from '../ports/index.ts';
import { entityIdsOfFilter, filterOf, type SelectionConditions } from './selection.ts';

type ReadRecord = {
  event_type: 'SEARCH' | 'GET_ALL';
  input: SelectionConditions;
  metadata: Record<string, unknown>;
  since: Instant;
};

/** Records a completed read. The record is written later, in a batch. */
export function recordRead(
  deps: Pick<Deps, 'clock' | 'ids' | 'recordEventLater'>,
  project: ProjectRef,
  { event_type, input, metadata, since }: ReadRecord,
): void {
  const ids = entityIdsOfFilter(filterOf(input));
  const payload = { ...input };
  deps.recordEventLater(
    project,
    completedEvent(deps, { event_type, payload, metadata, ...ids }, since),
  );
}
