import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Event, ListEventsInput } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { linkTo, place } from '../parts/place.ts';
import { client, viewer } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useChanges } from '../parts/use-changes.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Deliveries } from './deliveries.tsx';
import { Undo } from './undo.tsx';

const names = {
  ADD: 'Add',
  SEARCH: 'Search',
  UPDATE: 'Update',
  DELETE: 'Delete',
  GET_ALL: 'List',
  DELETE_ALL: 'Delete all',
  DELETE_ENTITY: 'Erase',
  EXPORT: 'Export',
  UNDO: 'Undo',
};
const states = {
  PENDING: 'waits',
  RUNNING: 'runs',
  FAILED: 'failed',
  SUCCEEDED: 'done',
};
const undoable: readonly Event['event_type'][] = ['ADD', 'UPDATE', 'DELETE', 'DELETE_ALL', 'UNDO'];
const everyMs = 5_000;
/** While changes come by themselves: searches and requests that wait do not. */
const everyMsLive = 15_000;

const parts = { '': 'Requests', deliveries: 'Webhook deliveries' };

/** What happens: requests of others, and what webhooks were told. */
export function Activity() {
  const { rest } = place.value;
  return (
    <div class="page">
      <nav class="tabs" aria-label="Activity">
        {Object.entries(parts).map(([name, title]) => (
          <a
            key={name}
            href={linkTo('activity', name)}
            aria-current={name === rest ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {rest === 'deliveries' ? <Deliveries /> : <Requests />}
    </div>
  );
}

/** Writes and searches as they come, what each did, and the way back. */
function Requests() {
  const [wanted, setWanted] = useState<ListEventsInput>({ page_size: 100 });
  const read = async () => client.listEvents(wanted);
  const { value, problem, reload } = useLoaded(read, JSON.stringify(wanted));
  const refresh = useCallback(() => {
    if (document.visibilityState === 'visible') void reload();
  }, [reload]);
  const isLive = useChanges(refresh);
  useEffect(() => {
    const timer = setInterval(refresh, isLive ? everyMsLive : everyMs);
    return () => clearInterval(timer);
  }, [refresh, isLive]);
  // Agents and this page list all the time.
  const shown = value?.results.filter(
    ({ event_type }) => event_type !== 'GET_ALL' || wanted.event_type === 'GET_ALL',
  );
  return (
    <>
      <div class="bar">
        <FilterChoice
          label="Kind"
          any="all but lists"
          options={names}
          onChoose={(event_type) => setWanted(changed(wanted, { event_type }))}
        />
        <FilterChoice
          label="State"
          any="any"
          options={states}
          onChoose={(status) => setWanted(changed(wanted, { status }))}
        />
      </div>
      {problem && <p role="alert">{problem}</p>}
      {shown === undefined && !problem && <p>Loading…</p>}
      {shown?.length === 0 && (
        <p class="empty">
          Nothing of the kind has happened yet. New requests appear by themselves.
        </p>
      )}
      <ol class="cards" aria-label="Events">
        {shown?.map((event) => (
          <EventCard key={event.id} event={event} onUndone={() => void reload()} />
        ))}
      </ol>
      <CallAs operation="list_events" input={wanted} />
    </>
  );
}

/** Without the fields that are undefined. */
function changed(wanted: ListEventsInput, change: ListEventsInput): ListEventsInput {
  const entries = Object.entries({ ...wanted, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

type FilterChoiceProps<Name extends string> = {
  label: string;
  any: string;
  options: Record<Name, string>;
  onChoose: (name: Name | undefined) => void;
};

function FilterChoice<Name extends string>({
  label,
  any,
  options,
  onChoose,
}: FilterChoiceProps<Name>) {
  const keys = Object.keys(options) as Name[];
  return (
    <label>
      {label}{' '}
      <select
        onChange={({ currentTarget: { value } }) => onChoose(keys.find((name) => name === value))}
      >
        <option value="">{any}</option>
        {keys.map((name) => (
          <option key={name} value={name}>
            {options[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

function EventCard({ event, onUndone }: { event: Event; onUndone: () => void }) {
  const { event_type, status, results, error, created_at, latency, payload } = event;
  const changes = results.filter((result) => result.event !== 'NOOP');
  const said = typeof payload.query === 'string' ? payload.query : '';
  const mayUndo =
    viewer.value?.mayWrite === true && undoable.includes(event_type) && changes.length > 0;
  return (
    <li class="card">
      <p>
        <strong>{names[event_type]}</strong> <span class={`tag ${status}`}>{states[status]}</span>
        <time class="quiet" dateTime={created_at}>
          {minuteOf(created_at)}
        </time>
        {latency !== null && <span class="quiet"> · {Math.round(latency)} ms</span>}
      </p>
      {error !== null && <p role="alert">{error}</p>}
      {said && <p dir="auto">{said}</p>}
      {results.slice(0, 10).map(({ id, event: change, memory, reason }, at) => (
        <p key={`${id} ${at}`} dir="auto">
          <span class="tag">{change}</span>
          {memory}
          {reason && <span class="quiet"> ({reason})</span>}
        </p>
      ))}
      {results.length > 10 && <p class="quiet">and {results.length - 10} more</p>}
      {mayUndo && <Undo event_id={event.id} onUndone={onUndone} />}
    </li>
  );
}
