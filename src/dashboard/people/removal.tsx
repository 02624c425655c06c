import { formatCount } from '../../contract/format-count.ts';
import { Undo } from '../changes/undo.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { client } from '../parts/session.ts';
import { type EntityRef, scopeOfEntity } from './entity-kinds.ts';

type DeleteAllProps = {
  entity: EntityRef;
  memories: number;
  onDeleted: (event_id: string) => void;
};

/** Deletes what somebody has, in a way that can be undone. */
export function DeleteAll({ entity, memories, onDeleted }: DeleteAllProps) {
  return (
    <Confirm
      label="Delete all memories"
      title={`Delete all memories of ${entity.entity_id}?`}
      confirm="Delete for now"
      keep="Keep them"
      onConfirm={async () => {
        const { event_id } = await client.deleteAllMemories(scopeOfEntity(entity));
        onDeleted(event_id);
      }}
    >
      <p>
        {formatCount(memories, 'memory', 'memories')}, also those that are shared with others, have
        expired or wait for a review.
      </p>
      <p class="quiet">Not recalled any more. The history stays, and an undo brings them back.</p>
    </Confirm>
  );
}

type DeletedAllProps = { event_id: string; onUndone: () => void; onDismiss: () => void };

/** Offers an undo until it is dismissed. */
export function DeletedAll({ event_id, onUndone, onDismiss }: DeletedAllProps) {
  return (
    <div class="bulk bar">
      <span role="status">All memories are deleted.</span>
      <Undo label="Bring back what was deleted" what={{ event_id }} onUndone={onUndone} />
      <button type="button" onClick={onDismiss}>
        Dismiss
      </button>
    </div>
  );
}
