import type { Deps, Instant, Project } from '../ports.ts';
import { doneEvent } from './record.ts';
import { type Conditions, entityIdsIn, filterOf } from './selection.ts';

type Read = {
  event_type: 'SEARCH' | 'GET_ALL';
  input: Conditions;
  metadata: Record<string, unknown>;
  since: Instant;
};

/** Records a read that is done. Nothing waits for the record: it is written later, with others. */
export function recordRead(
  deps: Pick<Deps, 'clock' | 'ids' | 'recordLater'>,
  project: Project,
  { event_type, input, metadata, since }: Read,
): void {
  const ids = entityIdsIn(filterOf(input));
  const payload = { ...input };
  deps.recordLater(project, doneEvent(deps, { event_type, payload, metadata, ...ids }, since));
}
