import { useCallback, useEffect } from 'preact/hooks';
import type { Sent } from '../../client/operations.ts';
import type { Event } from '../../contract/schemas/event.ts';
import { OwnerFilter, ownerInPlace } from '../owners/owner-filter.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { Pages, pageInPlace } from '../parts/pages.tsx';
import { place } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client } from '../parts/session.ts';
import { useLiveChanges } from '../parts/use-live-changes.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { AddressChoice, chosenOf } from './address-choice.tsx';
import { useKeyNames } from './key-names.ts';
import { Queue } from './queue.tsx';
import { RequestCard } from './request-card.tsx';
import { eventNames, eventStates } from './request-words.ts';

const pageSize = 50;
const everyMs = 5_000;
/** The interval while changes are streamed, as the stream has no searches or waiting requests. */
const everyMsLive = 15_000;

/** Lists writes and searches as they come, with their results and an undo. */
export function Requests() {
  const input = requestsInPlace();
  const { event_id = '' } = place.value.params;
  const read = async () => readRequests(input, event_id);
  const { value, problem, reload } = useLoaded(read, JSON.stringify([input, event_id]));
  useRefresh(reload);
  const names = useKeyNames();
  return (
    <>
      <Queue counts={value?.counts ?? null} />
      <div class="bar">
        <AddressChoice label="Kind" name="event_type" any="all except lists" options={eventNames} />
        <AddressChoice label="State" name="status" any="any" options={eventStates} />
        <OwnerFilter />
      </div>
      <Problem problem={problem} reload={reload} />
      {value === null && !problem && <p>Loading…</p>}
      {value?.total === 0 && (
        <p class="empty">No such requests yet. New ones appear by themselves.</p>
      )}
      <ol class="requests card" aria-label="Events" hidden={!value?.results.length}>
        {value?.results.map((event) => (
          <RequestCard key={event.id} event={event} names={names} onChanged={reload} />
        ))}
      </ol>
      {value !== null && <Pages total={value.total} page_size={pageSize} />}
      <CallAs operation="list_events" input={input} />
    </>
  );
}

function requestsInPlace(): Sent<'list_events'> {
  const event_type = chosenOf('event_type', eventNames);
  const status = chosenOf('status', eventStates);
  const owner = ownerInPlace();
  return {
    // Agents and this page list memories all the time, so lists are left out by default.
    ...(event_type === undefined ? { except_event_type: 'GET_ALL' } : { event_type }),
    ...(status !== undefined && { status }),
    ...(owner !== null && { entity_type: owner.type, entity_id: owner.id }),
    page: pageInPlace(),
    page_size: pageSize,
  };
}

/** Reads a page of requests. The one that the address opens comes first if it is not there. */
async function readRequests(input: Sent<'list_events'>, event_id: string) {
  const [list, counts] = await Promise.all([client.listEvents(input), readQueue()]);
  const isThere = event_id === '' || list.results.some(({ id }) => id === event_id);
  const event = isThere ? null : await client.getEvent({ event_id }).catch(() => null);
  const results: Event[] = event === null ? list.results : [event, ...list.results];
  return { total: Math.max(list.total, results.length), results, counts };
}

async function readQueue() {
  const count = async (status: 'PENDING' | 'RUNNING') =>
    (await client.listEvents({ status, page_size: 1 })).total;
  const [waitingCount, runningCount] = await Promise.all([count('PENDING'), count('RUNNING')]);
  if (waitingCount + runningCount === 0) return { waitingCount, runningCount, oldest: null };
  const status = waitingCount > 0 ? 'PENDING' : 'RUNNING';
  const input = { status, page: Math.max(waitingCount || runningCount, 1), page_size: 1 } as const;
  const [oldest] = (await client.listEvents(input)).results;
  return { waitingCount, runningCount, oldest: oldest?.created_at ?? null };
}

function useRefresh(reload: () => Promise<void>): void {
  const refresh = useCallback(() => {
    if (document.visibilityState === 'visible') void reload();
  }, [reload]);
  const isLive = useLiveChanges(refresh);
  useEffect(() => {
    const timer = setInterval(refresh, isLive ? everyMsLive : everyMs);
    return () => clearInterval(timer);
  }, [refresh, isLive]);
}
