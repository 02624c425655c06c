import type { Memory } from '../../client.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { Confirm } from '../parts/confirm.tsx';
import { client } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';

type BulkProps = {
  memories: readonly Memory[];
  onClear: () => void;
  onChanged: () => void;
  onDeleted: (ids: readonly string[]) => void;
};

const listedMax = 8;

/** What can be done with several memories at once. */
export function Bulk({ memories, onClear, onChanged, onDeleted }: BulkProps) {
  const { busy, problem, run } = useAction();
  const pin = (pinned: boolean) => async () => {
    const changed = memories.filter(({ immutable }) => !immutable);
    const changes = changed.map(({ id }) => ({ memory_id: id, pinned }));
    if (changes.length > 0) await client.batchUpdateMemories({ memories: changes });
    onChanged();
  };
  return (
    <fieldset class="bulk bar">
      <legend class="hidden">Chosen memories</legend>
      <strong role="status">{memories.length} chosen</strong>
      <button type="button" disabled={busy} onClick={() => run(pin(true))}>
        Pin
      </button>
      <button type="button" disabled={busy} onClick={() => run(pin(false))}>
        Unpin
      </button>
      <Removals memories={memories} onChanged={onChanged} onDeleted={onDeleted} />
      <button type="button" onClick={onClear}>
        Clear
      </button>
      {problem && <p role="alert">{problem}</p>}
    </fieldset>
  );
}

function Removals({ memories, onChanged, onDeleted }: StrictOmit<BulkProps, 'onClear'>) {
  const memory_ids = memories.map(({ id }) => id);
  const count = memories.length === 1 ? 'this memory' : `${memories.length} memories`;
  return (
    <>
      <Confirm
        label="Delete"
        title={`Delete ${count}?`}
        confirm="Delete for now"
        keep="Keep"
        onConfirm={async () => {
          await client.batchDeleteMemories({ memory_ids });
          onDeleted(memory_ids);
          onChanged();
        }}
      >
        <Preview memories={memories} />
        <p class="quiet">Not recalled any more. The history stays, and an undo brings it back.</p>
      </Confirm>
      <Confirm
        label="Erase"
        title={`Erase ${count}?`}
        confirm="Erase for ever"
        keep="Keep"
        typed="erase"
        onConfirm={() => client.eraseMemories({ memory_ids }).then(onChanged)}
      >
        <Preview memories={memories} />
        <p class="quiet">
          The history, feedback, relations and what events and deliveries say of it go too. Nothing
          can be brought back.
        </p>
      </Confirm>
    </>
  );
}

function Preview({ memories }: Pick<BulkProps, 'memories'>) {
  return (
    <ul class="preview">
      {memories.slice(0, listedMax).map(({ id, memory }) => (
        <li key={id} dir="auto">
          {memory}
        </li>
      ))}
      {memories.length > listedMax && <li>and {memories.length - listedMax} more</li>}
    </ul>
  );
}

type DeletedProps = { ids: readonly string[]; onUndone: () => void; onDismiss: () => void };

/** Stays until it is dismissed: nobody has to be quick. */
export function Deleted({ ids, onUndone, onDismiss }: DeletedProps) {
  const { busy, problem, run } = useAction();
  const undo = async () => {
    for (const memory_id of ids) await client.undoChanges({ memory_id });
    onDismiss();
    onUndone();
  };
  return (
    <div class="bulk bar">
      <span role="status">
        {ids.length === 1 ? 'A memory is' : `${ids.length} memories are`} deleted.
      </span>
      <button type="button" class="primary" disabled={busy} onClick={() => run(undo)}>
        Undo
      </button>
      <button type="button" onClick={onDismiss}>
        Dismiss
      </button>
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}
