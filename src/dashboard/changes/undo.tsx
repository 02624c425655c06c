import { useState } from 'preact/hooks';
import type { Sent } from '../../client/operations.ts';
import type { Output } from '../../contract.ts';
import { Confirm } from '../parts/confirm.tsx';
import { linkTo } from '../parts/place.ts';
import { client } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { Difference } from './difference.tsx';
import { takeBack } from './take-back.ts';

type UndoProps = {
  what: Sent<'undo_changes'>;
  label?: string;
  /** Gets the event of the undo, by which the undo itself can be undone. */
  onUndone: (event_id: string | null) => void;
};

/** Shows what an undo would do before it does it. */
export function Undo({ what, label = 'Undo', onUndone }: UndoProps) {
  const [plan, setPlan] = useState<Output<'undo_changes'> | null>(null);
  const { problem, run } = useAction();
  const preview = async () => setPlan(await client.undoChanges({ ...what, dry_run: true }));
  return (
    <Confirm
      label={label}
      title={plan?.message ?? 'Undo'}
      confirm="Undo it"
      danger={false}
      blocked={plan === null || plan.changes.length === 0}
      onOpen={() => {
        setPlan(null); // what it would do may have changed
        run(preview);
      }}
      onConfirm={async () => {
        const { event_id } = await takeBack(what);
        onUndone(event_id);
      }}
    >
      {problem && <p role="alert">{problem}</p>}
      {plan !== null && <UndoPlan plan={plan} shownMax={20} />}
    </Confirm>
  );
}

/** What an undo does to the memories of each kind of change. */
const groups = [
  ['ADD', 'Comes back'],
  ['UPDATE', 'Changes back'],
  ['DELETE', 'Goes'],
] as const;

type UndoPlanProps = { plan: Output<'undo_changes'>; shownMax: number };

/** Lists what an undo would bring back, change and remove, and what it leaves alone and why. */
export function UndoPlan({ plan: { changes, conflicts }, shownMax }: UndoPlanProps) {
  return (
    <>
      {groups.map(([event, title]) => {
        const group = changes.filter((change) => change.event === event);
        if (group.length === 0) return null;
        return (
          <section key={event} aria-label={title}>
            <h3>
              {title} <span class="quiet">{group.length}</span>
            </h3>
            {group.slice(0, shownMax).map(({ id, old_memory, memory }) => (
              <Difference key={id} before={old_memory} after={memory} />
            ))}
            <Rest count={group.length - shownMax} />
          </section>
        );
      })}
      {conflicts.length > 0 && (
        <section aria-label="Left alone">
          <h3>
            Left alone <span class="quiet">{conflicts.length}</span>
          </h3>
          {conflicts.slice(0, shownMax).map(({ id, reason }) => (
            <p key={id}>
              <a class="id" href={linkTo('memories', id)}>
                {id}
              </a>{' '}
              {reason}
            </p>
          ))}
          <Rest count={conflicts.length - shownMax} />
        </section>
      )}
    </>
  );
}

function Rest({ count }: { count: number }) {
  return count > 0 ? <p class="quiet">and {count.toLocaleString('en')} more</p> : null;
}
