import { useState } from 'preact/hooks';
import type { UndoChangesOutput } from '../../client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Difference } from '../parts/difference.tsx';
import { client } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';

type UndoProps = { event_id: string; onUndone: () => void };

/** Shows what an undo would do before it does it. */
export function Undo({ event_id, onUndone }: UndoProps) {
  const [plan, setPlan] = useState<UndoChangesOutput | null>(null);
  const { problem, run } = useAction();
  const preview = async () => setPlan(await client.undoChanges({ event_id, dry_run: true }));
  return (
    <Confirm
      label="Undo"
      title={plan?.message ?? 'Undo'}
      confirm="Undo it"
      danger={false}
      blocked={plan === null || plan.changes.length === 0}
      onOpen={() => run(preview)}
      onConfirm={async () => {
        await client.undoChanges({ event_id });
        onUndone();
      }}
    >
      {problem && <p role="alert">{problem}</p>}
      {plan?.changes.slice(0, 20).map(({ id, old_memory, memory }) => (
        <Difference key={id} before={old_memory} after={memory} />
      ))}
      {plan?.conflicts.map(({ id, reason }) => (
        <p key={id} class="quiet">
          {id} stays as it is: {reason}
        </p>
      ))}
    </Confirm>
  );
}
