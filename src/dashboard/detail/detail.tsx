import { X } from 'lucide';
import { useState } from 'preact/hooks';
import type { Memory } from '../../contract/schemas/memory.ts';
import { useKeys } from '../keyboard/use-keys.ts';
import { ownersOf } from '../owners/owner-link.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Icon } from '../parts/icon.tsx';
import { linkTo } from '../parts/place.ts';
import { client } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import './detail.css';
import { Editor, hasDraft } from './editor.tsx';
import { Facts } from './facts.tsx';
import { History } from './history.tsx';
import { Standing } from './standing.tsx';

type DetailProps = {
  memory: Memory;
  mayWrite: boolean;
  onClose: () => void;
  onChange: (memory: Memory) => void;
  onDelete: () => void;
};

/** One memory: its text, its details, its history, and what can be done with it. */
export function Detail(props: DetailProps) {
  const { memory, mayWrite, onChange } = props;
  const [isEditing, setIsEditing] = useState(() => mayWrite && hasDraft(memory));
  const [status, setStatus] = useState('');
  const mayEdit = mayWrite && !memory.immutable;
  const edit = () => {
    setStatus('');
    setIsEditing(true);
  };
  useKeys(mayEdit && !isEditing ? { e: edit } : {});
  return (
    <aside class="detail" aria-label="Memory">
      <Actions {...props} mayEdit={mayEdit} onEdit={mayEdit && !isEditing ? edit : null} />
      {status && <p role="status">{status}</p>}
      {isEditing ? (
        <Editor
          memory={memory}
          onClose={() => setIsEditing(false)}
          onChange={(newest, message = '') => {
            onChange(newest);
            setStatus(message);
          }}
        />
      ) : (
        <p class="memory" dir="auto">
          {memory.memory}
        </p>
      )}
      <Standing memory={memory} />
      <Facts memory={memory} />
      <History memory={memory} mayEdit={mayEdit} onRestored={onChange} />
    </aside>
  );
}

type ActionsProps = DetailProps & { mayEdit: boolean; onEdit: (() => void) | null };

function Actions({ memory, mayWrite, mayEdit, onEdit, ...on }: ActionsProps) {
  const { busy, problem, run } = useAction();
  const [owner] = ownersOf(memory);
  const pin = async () => {
    const { memory_id, pinned } = { memory_id: memory.id, pinned: !memory.pinned };
    const { text: _, message: _m, ...newest } = await client.updateMemory({ memory_id, pinned });
    on.onChange(newest);
  };
  return (
    <>
      <div class="bar">
        {onEdit !== null && (
          <button type="button" onClick={onEdit}>
            Edit
          </button>
        )}
        {mayEdit && (
          <button type="button" disabled={busy} onClick={() => run(pin)}>
            {memory.pinned ? 'Unpin' : 'Pin'}
          </button>
        )}
        {owner !== undefined && (
          <a class="as-button" href={linkTo('people', `${owner.type}/${owner.id}`)}>
            Profile
          </a>
        )}
        {mayWrite && <Delete memory={memory} onDelete={on.onDelete} />}
        <button type="button" class="icon-button" onClick={on.onClose}>
          <Icon node={X} />
          <span class="hidden">Close</span>
        </button>
      </div>
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}

type DeleteProps = { memory: Memory; onDelete: () => void };

function Delete({ memory, onDelete }: DeleteProps) {
  return (
    <Confirm
      label="Delete"
      title="Delete this memory?"
      confirm="Delete it"
      keep="Keep it"
      onConfirm={() => client.deleteMemory({ memory_id: memory.id }).then(onDelete)}
    >
      <p class="shown-part" dir="auto">
        {memory.memory}
      </p>
      <p class="quiet">
        It is not recalled any more. Its history stays, and an undo brings it back.
      </p>
    </Confirm>
  );
}
