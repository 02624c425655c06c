import { useState } from 'preact/hooks';
import type { ReplayRecallOutput } from '../../client.ts';
import { client } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';

type Found = { id: string; memory: string };
type RepairProps = { ranking: ReplayRecallOutput['now']; onRepaired: () => Promise<void> };

/** Edit, pin, take a change back, or say what is missing; the answer is computed again at once. */
export function Repair({ ranking: { results, left_out }, onRepaired }: RepairProps) {
  const { busy, problem, run } = useAction();
  const add = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const [text, user_id] = ['text', 'user_id'].map((name) => String(data.get(name)).trim());
    await client.addMemory({ text: text ?? '', user_id: user_id ?? '' });
    form.reset();
    await onRepaired();
  };
  return (
    <section aria-label="Repair">
      <h2>Repair</h2>
      <ul class="rows card" aria-label="Memories to repair">
        {[...results, ...left_out].map((found) => (
          <RepairRow key={`${found.id} ${found.memory}`} found={found} onRepaired={onRepaired} />
        ))}
      </ul>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          run(() => add(form));
        }}
      >
        <input name="text" aria-label="What is missing" placeholder="What is missing" required />
        <input name="user_id" aria-label="Of user" placeholder="Of user" required />
        <button type="submit" disabled={busy}>
          Remember it
        </button>
        {problem && <p role="alert">{problem}</p>}
      </form>
    </section>
  );
}

type RowProps = { found: Found; onRepaired: () => Promise<void> };

function RepairRow({ found: { id: memory_id, memory }, onRepaired }: RowProps) {
  const [text, setText] = useState<string | null>(null);
  const { busy, problem, run } = useAction();
  const mend = (work: () => Promise<unknown>) =>
    run(async () => {
      await work();
      setText(null);
      await onRepaired();
    });
  const pin = async () => {
    const { pinned } = await client.getMemory({ memory_id });
    await client.updateMemory({ memory_id, pinned: !pinned });
  };
  return (
    <li>
      {text === null ? (
        <span class="grow" dir="auto">
          {memory}
        </span>
      ) : (
        <input
          class="grow"
          aria-label="New text"
          dir="auto"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      {text === null ? (
        <button type="button" aria-label={`Edit ${memory}`} onClick={() => setText(memory)}>
          Edit
        </button>
      ) : (
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => mend(() => client.updateMemory({ memory_id, text }))}
        >
          Save
        </button>
      )}
      <button
        type="button"
        aria-label={`Pin or unpin ${memory}`}
        disabled={busy}
        onClick={() => mend(pin)}
      >
        Pin
      </button>
      <button
        type="button"
        aria-label={`Undo the last change of ${memory}`}
        disabled={busy}
        onClick={() => mend(() => client.undoChanges({ memory_id }))}
      >
        Undo
      </button>
      {problem && <p role="alert">{problem}</p>}
    </li>
  );
}
