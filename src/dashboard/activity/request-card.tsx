import type { Sent } from '../../client/operations.ts';
import type { Event } from '../../contract/schemas/event.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { changeWords } from '../changes/change-words.ts';
import { Undo } from '../changes/undo.tsx';
import { Ago } from '../parts/ago.tsx';
import { linkTo, pastDay, place, setParams } from '../parts/place.ts';
import { client, viewer } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useAction } from '../parts/use-action.ts';
import type { KeyNames } from './key-names.ts';
import { callerIn, eventNames, eventStates, outcomeOf, ownerIn, saidIn } from './request-words.ts';

const undoTypes: readonly Event['event_type'][] = ['ADD', 'UPDATE', 'DELETE', 'DELETE_ALL', 'UNDO'];
type RequestCardProps = { event: Event; names: KeyNames; onChanged: () => Promise<void> };

/** Shows a request as one line, and its result and all details once it is opened. */
export function RequestCard({ event, names, onChanged }: RequestCardProps) {
  const { id, status, results, error } = event;
  const isOpen = place.value.params.event_id === id;
  return (
    <li>
      <button
        type="button"
        class="plain request"
        aria-expanded={isOpen}
        onClick={() => setParams({ event_id: isOpen ? undefined : id })}
      >
        <RequestLine event={event} names={names} />
      </button>
      {error !== null && <p role="alert">{error}</p>}
      {isOpen &&
        results.map((result, at) => <ResultLine key={`${result.id} ${at}`} result={result} />)}
      {(isOpen || status === 'FAILED') && <RequestActions event={event} onChanged={onChanged} />}
      {isOpen && <RequestParts event={event} />}
    </li>
  );
}

function RequestLine({ event, names }: Pick<RequestCardProps, 'event' | 'names'>) {
  const { event_type, status, created_at, latency } = event;
  return (
    <>
      <strong>{eventNames[event_type]}</strong>
      <span class="said" dir="auto">
        {saidIn(event)}
      </span>
      <span dir="auto">{ownerIn(event)}</span>
      <span dir="auto">{callerIn(event, names)}</span>
      <span>
        {status === 'SUCCEEDED' ? (
          outcomeOf(event)
        ) : (
          <span class={`tag ${status}`}>{eventStates[status]}</span>
        )}
      </span>
      <span>{latency !== null && `${Math.round(latency)} ms`}</span>
      <Ago instant={created_at} />
    </>
  );
}

const resultWords = { ...changeWords, NOOP: 'Unchanged' };

function ResultLine({ result }: { result: Event['results'][number] }) {
  const { id, event, memory, reason } = result;
  return (
    <p dir="auto">
      <span class="tag">{resultWords[event]}</span>
      {id === null ? memory : <a href={linkTo('memories', id)}>{memory || 'memory'}</a>}
      {reason && <span class="quiet"> ({reason})</span>}
    </p>
  );
}

function RequestParts({ event }: { event: Event }) {
  const { id, created_at, started_at, completed_at, graph_status, payload, metadata } = event;
  const facts = {
    id,
    came: minuteOf(created_at),
    began: started_at && minuteOf(started_at),
    ended: completed_at && minuteOf(completed_at),
    waited: started_at && `${Date.parse(started_at) - Date.parse(created_at)} ms`,
    relations: graph_status,
  };
  return (
    <>
      <dl class="facts">
        {Object.entries(facts).map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <h3>Request</h3>
      <Json value={payload} />
      {metadata !== null && <h3>Metadata</h3>}
      {metadata !== null && <Json value={metadata} />}
    </>
  );
}

function Json({ value }: { value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
  );
}

function RequestActions({ event, onChanged }: StrictOmit<RequestCardProps, 'names'>) {
  const { busy, problem, run } = useAction();
  if (viewer.value?.mayWrite !== true || pastDay.value !== null) return null;
  const { id, event_type, status, results } = event;
  const hasChanged = results.some((result) => result.event !== 'NOOP');
  const repeat = addAgainOf(event);
  return (
    <>
      {problem && <p role="alert">{problem}</p>}
      {status === 'FAILED' && repeat === null && (
        <p class="quiet">
          {event_type === 'ADD'
            ? 'Its text is not kept any more, so it can’t be sent again from here.'
            : 'The program that sent it can send it again.'}
        </p>
      )}
      <div class="bar">
        {repeat !== null && (
          <button
            type="button"
            disabled={busy}
            onClick={() =>
              run(async () => {
                const { event_id } = await client.addMemory(repeat);
                setParams({ event_id, status: undefined, page: undefined });
              })
            }
          >
            Send again
          </button>
        )}
        {undoTypes.includes(event_type) && hasChanged && (
          <Undo what={{ event_id: id }} onUndone={() => void onChanged()} />
        )}
      </div>
    </>
  );
}

/** Makes a new add of a failed one. Facts that the first one stored are recognized as the same. */
function addAgainOf({ event_type, status, payload }: Event): Sent<'add_memory'> | null {
  const isKept = Array.isArray(payload.messages) && payload.messages.length > 0;
  if (event_type !== 'ADD' || status !== 'FAILED' || !isKept) return null;
  const { org_id: _o, project_id: _p, ...fields } = payload;
  return { ...fields, async_mode: true } as Sent<'add_memory'>; // it was one, as the event says
}
