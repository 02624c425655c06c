import type { Sent } from '../../client/operations.ts';
import { formatCount } from '../../contract/format-count.ts';
import { takeBack } from '../changes/take-back.ts';
import { Undo, UndoPlan } from '../changes/undo.tsx';
import { OwnerFilter, ownerInPlace, ownerScopeInPlace } from '../owners/owner-filter.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { linkTo, place, setParams } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client } from '../parts/session.ts';
import { timeWords } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { TimeInput } from './time-input.tsx';

/** Takes back all that happened since a time, or since a snapshot, after showing what that does. */
export function UndoSince() {
  const { since = '', undone, force } = place.value.params;
  const { value: snapshots } = useLoaded(async () => client.listSnapshots(), '');
  if (undone !== undefined) return <Undone key={undone} event_id={undone} />;
  const what: Sent<'undo_changes'> = {
    since,
    ...ownerScopeInPlace(),
    ...(force === 'true' && { force: true }),
  };
  return (
    <>
      <p class="quiet">
        Choose a day, a time of day or a snapshot, and an owner. You see what would change before
        anything does.
      </p>
      <div class="bar times">
        <TimeInput
          label="All changes since"
          value={since}
          snapshots={snapshots?.results ?? []}
          hasTime
          onChange={(time) => setParams({ since: time || undefined })}
        />
        <OwnerFilter />
        <label class="check">
          <input
            type="checkbox"
            checked={force === 'true'}
            onChange={({ currentTarget }) =>
              setParams({ force: currentTarget.checked ? 'true' : undefined })
            }
          />
          Also what is in conflict
        </label>
      </div>
      {since !== '' && <Preview what={what} />}
      {since !== '' && <CallAs operation="undo_changes" input={{ ...what, dry_run: true }} />}
    </>
  );
}

function Preview({ what }: { what: Sent<'undo_changes'> }) {
  const { value, problem, reload } = useLoaded(
    async () => client.undoChanges({ ...what, dry_run: true }),
    JSON.stringify(what),
  );
  if (problem) return <Problem problem={problem} reload={reload} />;
  if (value === null) return <p>Loading…</p>;
  const owner = ownerInPlace();
  const owners = owner === null ? 'of everybody' : `of ${owner.type} ${owner.id}`;
  return (
    <section class="undo-plan" aria-label="What would be undone">
      <h2>{value.message}</h2>
      <UndoPlan plan={value} shownMax={100} />
      {value.changes.length > 0 && (
        <Confirm
          label="Undo all of this"
          title={`Undo all changes ${owners} since ${timeWords(what.since ?? '')}?`}
          confirm="Undo it"
          danger={false}
          onConfirm={async () => {
            const { event_id } = await takeBack(what);
            setParams({ undone: event_id ?? undefined });
          }}
        >
          <p>{value.message}. The undo can be undone as well.</p>
        </Confirm>
      )}
    </section>
  );
}

const words = { ADD: 'Brought back', UPDATE: 'Changed back', DELETE: 'Removed', NOOP: 'Left' };

/** What an undo did, and the way back from it. */
function Undone({ event_id }: { event_id: string }) {
  const { value, problem, reload } = useLoaded(async () => client.getEvent({ event_id }), '');
  if (problem) return <Problem problem={problem} reload={reload} />;
  if (value === null) return <p>Loading…</p>;
  const { results } = value;
  return (
    <section aria-label="What was undone">
      <h2>Undone: {formatCount(results.length, 'memory', 'memories')}</h2>
      <div class="bar">
        <Undo
          label="Undo the undo"
          what={{ event_id }}
          onUndone={(undone) => setParams({ undone: undone ?? undefined })}
        />
        <a class="button" href={linkTo('timeline')}>
          Back to the days
        </a>
      </div>
      <ol class="history">
        {results.slice(0, 100).map(({ id, event, memory }, at) => (
          <li key={`${id} ${at}`} dir="auto">
            <span class="tag">{words[event]}</span>
            {id === null ? memory : <a href={linkTo('memories', id)}>{memory}</a>}
          </li>
        ))}
      </ol>
      {results.length > 100 && <p class="quiet">and {results.length - 100} more</p>}
    </section>
  );
}
