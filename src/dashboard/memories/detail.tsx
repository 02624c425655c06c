import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Memory } from '../../client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { messageOf } from '../parts/message-of.ts';
import { client } from '../parts/session.ts';
import { isTyping } from '../parts/shortcuts.tsx';
import { eventTime, minuteOf } from '../parts/times.ts';
import { type EntityRef, ownerOf } from './entity.ts';
import { History } from './history.tsx';

type DetailProps = {
  memory: Memory;
  mayWrite: boolean;
  onClose: () => void;
  onChange: (memory: Memory) => void;
  onEntity: (entity: EntityRef) => void;
  onDelete: () => void;
};

/** One memory: its text, what is known about it, its history, and what can be done with it. */
export function Detail(props: DetailProps) {
  const { memory, mayWrite, onChange } = props;
  const [editing, setEditing] = useState(false);
  const [problem, setProblem] = useState('');
  const mayEdit = mayWrite && !memory.immutable;
  const update = async (change: { text?: string; pinned?: boolean }) => {
    try {
      await checkUnchanged(memory, change.text);
      onChange(await client.updateMemory({ memory_id: memory.id, ...change }));
      setEditing(false);
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  useEditKey(mayEdit, () => setEditing(true));
  return (
    <aside class="detail" aria-label="Memory">
      <Actions
        {...props}
        onEdit={mayEdit && !editing ? () => setEditing(true) : null}
        onPin={mayEdit ? () => void update({ pinned: !memory.pinned }) : null}
      />
      {problem && <p role="alert">{problem}</p>}
      {editing ? (
        <Editor
          text={memory.memory}
          onSave={(text) => void update({ text })}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <p class="memory" dir="auto">
          {memory.memory}
        </p>
      )}
      <Facts memory={memory} />
      <History memory_id={memory.id} updated_at={memory.updated_at} />
    </aside>
  );
}

type ActionsProps = DetailProps & { onEdit: (() => void) | null; onPin: (() => void) | null };

function Actions({ memory, mayWrite, ...on }: ActionsProps) {
  const owner = ownerOf(memory);
  return (
    <div class="bar">
      <button type="button" onClick={on.onClose}>
        Close
      </button>
      {on.onEdit !== null && (
        <button type="button" onClick={on.onEdit}>
          Edit
        </button>
      )}
      {on.onPin !== null && (
        <button type="button" onClick={on.onPin}>
          {memory.pinned ? 'Unpin' : 'Pin'}
        </button>
      )}
      {mayWrite && <Delete memory={memory} onDelete={on.onDelete} />}
      {owner !== null && (
        <button type="button" onClick={() => on.onEntity(owner)}>
          Profile
        </button>
      )}
    </div>
  );
}

/** Somebody else's change is shown, not overwritten. */
async function checkUnchanged(memory: Memory, text: string | undefined): Promise<void> {
  if (text === undefined) return;
  const { memory: now } = await client.getMemory({ memory_id: memory.id });
  if (now === memory.memory) return;
  throw new Error(`Somebody changed this memory in the meantime. It now says: ${now}`);
}

type EditorProps = { text: string; onSave: (text: string) => void; onCancel: () => void };

function Editor({ text, onSave, onCancel }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const save = () => onSave(area.current?.value ?? text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
      }}
    >
      <textarea
        ref={area}
        aria-label="Text of the memory"
        rows={5}
        dir="auto"
        defaultValue={text}
      />
      <div class="bar">
        <button class="primary" type="submit">
          Save
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function Facts({ memory }: { memory: Memory }) {
  const { id, user_id, agent_id, app_id, run_id, metadata, categories } = memory;
  const facts = {
    id,
    user_id,
    agent_id,
    app_id,
    run_id,
    type: memory.type,
    slot: memory.slot,
    categories: categories.join(', '),
    metadata: Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata),
    source: memory.source_class,
    created: minuteOf(memory.created_at),
    updated: minuteOf(memory.updated_at),
    occurred:
      memory.occurred_at === null
        ? null
        : eventTime(memory.occurred_at, memory.occurred_granularity),
    expires: memory.expiration_date,
  };
  return (
    <dl class="facts">
      {Object.entries(facts)
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
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
      <p dir="auto">{memory.memory}</p>
      <p class="quiet">It is not recalled any more. Its history stays.</p>
    </Confirm>
  );
}

function useEditKey(mayEdit: boolean, edit: () => void) {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'e' || !mayEdit || isTyping(event) || event.ctrlKey || event.metaKey)
        return;
      event.preventDefault();
      edit();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [mayEdit]);
}
