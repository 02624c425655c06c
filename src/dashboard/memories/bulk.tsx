import { useState } from 'preact/hooks';
import type { Sent } from '../../client/operations.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { takeBack } from '../changes/take-back.ts';
import { CategoryInput, type TypedCategories } from '../detail/category-field.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { client } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { type BulkChange, idsOf, sendInBatches, updateAll } from './bulk-changes.ts';
import { asArchive, asJson, download } from './download.ts';

type BulkProps = {
  memories: readonly Memory[];
  onClear: () => void;
  /** What was changed, which is not all of them if a later batch failed. */
  onChanged: (done: readonly Memory[]) => void;
  onDeleted: (deletion: Deletion) => void;
};

/** How many memories were deleted, and what brings them back. */
export type Deletion = {
  count: number;
  undo: Sent<'undo_changes'>[];
  /** It failed half-way: deleting the rest is a part of it. */
  isPartial: boolean;
};

const listedMax = 8;

/** What can be done with several memories at once. */
export function Bulk({ memories, onClear, onChanged, onDeleted }: BulkProps) {
  const { busy, problem, run } = useAction();
  const [status, setStatus] = useState('');
  const update = async (change: BulkChange) => {
    const { left } = await updateAll(memories, change, onChanged);
    setStatus(left === 0 ? '' : `${memoriesOf(left)} immutable, so nothing changed there.`);
  };
  return (
    <fieldset class="bulk bar">
      <legend class="hidden">Chosen memories</legend>
      <strong role="status">{memories.length.toLocaleString('en')} chosen</strong>
      <button type="button" disabled={busy} onClick={() => run(() => update({ pinned: true }))}>
        Pin
      </button>
      <button type="button" disabled={busy} onClick={() => run(() => update({ pinned: false }))}>
        Unpin
      </button>
      <Move onMove={(category) => update({ categories: [category] })} />
      <Download memories={memories} />
      <Removals memories={memories} onChanged={onChanged} onDeleted={onDeleted} />
      <button type="button" onClick={onClear}>
        Clear
      </button>
      {status && <span role="status">{status}</span>}
      {problem && <p role="alert">{problem}</p>}
    </fieldset>
  );
}

function memoriesOf(count: number): string {
  return count === 1 ? 'One of them is' : `${count} of them are`;
}

/** Files all of them under one category. */
function Move({ onMove }: { onMove: (category: string) => Promise<void> }) {
  const [draft, setDraft] = useState<TypedCategories>({ names: [], next: '' });
  const category = draft.next.trim();
  return (
    <Confirm
      label="Move to category"
      title="Move to a category"
      confirm="Move"
      keep="Cancel"
      danger={false}
      blocked={category === ''}
      onConfirm={() => onMove(category)}
    >
      <CategoryInput input={draft} onChange={setDraft} />
      <p class="quiet">It takes the place of the categories that they have.</p>
    </Confirm>
  );
}

function Download({ memories }: Pick<BulkProps, 'memories'>) {
  return (
    <>
      <button type="button" onClick={() => download(asJson(memories))}>
        Export as JSON
      </button>
      <button
        type="button"
        title="A file that mneme import reads"
        onClick={() => download(asArchive(memories))}
      >
        Export as JSONL
      </button>
    </>
  );
}

function Removals({ memories, onChanged, onDeleted }: StrictOmit<BulkProps, 'onClear'>) {
  const count = memories.length === 1 ? 'this memory' : `${memories.length} memories`;
  return (
    <>
      <Confirm
        label="Delete"
        title={`Delete ${count}?`}
        confirm="Delete for now"
        keep="Keep"
        onConfirm={async () => {
          const undo: Sent<'undo_changes'>[] = [];
          const send = async (some: Memory[]) => {
            const { event_id } = await client.batchDeleteMemories({ memory_ids: idsOf(some) });
            undo.push({ event_id });
          };
          await sendInBatches(memories, send, (done) => {
            const count = done.length;
            onDeleted({ count, undo, isPartial: count < memories.length });
            onChanged(done);
          });
        }}
      >
        <Preview memories={memories} />
        <p class="quiet">Not recalled any more. The history stays, and an undo brings it back.</p>
      </Confirm>
      <Confirm
        label="Erase"
        title={`Erase ${count}?`}
        confirm="Erase forever"
        keep="Keep"
        phrase="erase"
        onConfirm={() => {
          const send = (some: Memory[]) => client.eraseMemories({ memory_ids: idsOf(some) });
          return sendInBatches(memories, send, onChanged);
        }}
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

type DeletedProps = { deletion: Deletion; onUndone: () => void; onDismiss: () => void };

/** Offers an undo until it is dismissed. */
export function Deleted({ deletion, onUndone, onDismiss }: DeletedProps) {
  const { count } = deletion;
  const { busy, problem, run } = useAction();
  const undo = async () => {
    for (const change of deletion.undo) await takeBack(change);
    onDismiss();
    onUndone();
  };
  return (
    <div class="bulk bar">
      <span role="status">
        {count === 1 ? 'Deleted.' : `${count.toLocaleString('en')} memories are deleted.`}
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
