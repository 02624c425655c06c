import { useState } from 'preact/hooks';
import { ApiError } from '../../client.ts';
import type { Output } from '../../contract.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { messageOf } from '../parts/message-of.ts';
import { linkTo, pastDay } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { minuteOf, timeWords } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';

type NamedTime = Output<'list_snapshots'>['results'][number];

/** Names of times, and what can be done with each. */
export function Snapshots() {
  const { value, problem, reload } = useLoaded(async () => client.listSnapshots(), '');
  const mayWrite = viewer.value?.mayWrite === true;
  return (
    <>
      {mayWrite && <NewSnapshot onCreated={reload} />}
      <Problem problem={problem} reload={reload} />
      {value === null && !problem && <p>Loading…</p>}
      {value?.results.length === 0 && (
        <p class="empty">
          No time has a name yet. A snapshot names one, such as “before the import”, to compare with
          and to go back to. It copies nothing.
        </p>
      )}
      {value !== null && value.results.length > 0 && (
        <ul class="rows card" aria-label="Snapshots">
          {value.results.map((snapshot) => (
            <SnapshotRow key={snapshot.name} snapshot={snapshot} onDeleted={reload} />
          ))}
        </ul>
      )}
      <CallAs operation="list_snapshots" input={{}} />
    </>
  );
}

function NewSnapshot({ onCreated }: { onCreated: () => Promise<void> }) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const as_of = pastDay.value;
  const create = async () => {
    setBusy(true);
    try {
      await client.createSnapshot({ name, ...(as_of !== null && { as_of }) });
      setName('');
      setProblem('');
      await onCreated();
    } catch (error) {
      setProblem(createProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="inline new-snapshot"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <label class="field">
        Name of {as_of === null ? 'this moment' : timeWords(as_of)}
        <input
          value={name}
          required
          dir="auto"
          placeholder="before the import"
          aria-invalid={problem !== ''}
          aria-describedby="snapshot-problem"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={busy}>
        Create
      </button>
      <p id="snapshot-problem" role="alert" hidden={problem === ''}>
        {problem}
      </p>
    </form>
  );
}

function createProblem(error: unknown): string {
  if (error instanceof ApiError && error.code === 'conflict') {
    return 'Another snapshot has this name. Choose another one, or delete that first.';
  }
  return messageOf(error);
}

type SnapshotRowProps = { snapshot: NamedTime; onDeleted: () => Promise<void> };

function SnapshotRow({ snapshot: { name, as_of }, onDeleted }: SnapshotRowProps) {
  const mayWrite = viewer.value?.mayWrite === true;
  return (
    <li>
      <span class="grow">
        <strong dir="auto">{name}</strong>{' '}
        <time class="quiet" dateTime={as_of}>
          {minuteOf(as_of)}
        </time>
      </span>
      <a href={linkTo('timeline', 'compare', { from: name })}>Compare with now</a>
      <a href={linkTo('memories', '', { as_of })}>Show that time</a>
      {mayWrite && pastDay.value === null && (
        <a href={linkTo('timeline', 'undo', { since: name })}>Undo since</a>
      )}
      {mayWrite && (
        <Confirm
          label="Delete"
          title={`Delete the snapshot “${name}”?`}
          confirm="Delete it"
          onConfirm={async () => {
            await client.deleteSnapshot({ name });
            await onDeleted();
          }}
        >
          <p>Only the name goes. All memories stay, and so does their past.</p>
        </Confirm>
      )}
    </li>
  );
}
