import { useState } from 'preact/hooks';
import { formatCount } from '../../contract/format-count.ts';
import type { Output } from '../../contract.ts';
import { takeBack } from '../changes/take-back.ts';
import { client } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';

type MemoryToRepair = { id: string; memory: string };
type RepairProps = { ranking: Output<'replay_recall'>['now']; onRepaired: () => Promise<void> };

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
    <section class="repair" aria-label="Repair">
      <h2>Repair</h2>
      {results.length === 0 && <p class="quiet">No memory was used in the answer.</p>}
      <RepairRows label="Memories used in the answer" memories={results} onRepaired={onRepaired} />
      {left_out.length > 0 && (
        <details>
          <summary>{formatCount(left_out.length, 'other', 'others')}, not used</summary>
          <RepairRows label="Memories not used" memories={left_out} onRepaired={onRepaired} />
        </details>
      )}
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

type RepairRowsProps = {
  label: string;
  memories: readonly MemoryToRepair[];
  onRepaired: () => Promise<void>;
};

function RepairRows({ label, memories, onRepaired }: RepairRowsProps) {
  if (memories.length === 0) return null;
  return (
    <ul class="rows card" aria-label={label}>
      {memories.map((one) => (
        <RepairRow key={`${one.id} ${one.memory}`} memory={one} onRepaired={onRepaired} />
      ))}
    </ul>
  );
}

type RepairRowProps = { memory: MemoryToRepair; onRepaired: () => Promise<void> };

function RepairRow({ memory: { id: memory_id, memory }, onRepaired }: RepairRowProps) {
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
        <Read memory={memory} onEdit={() => setText(memory)} />
      ) : (
        <Edited
          text={text}
          busy={busy}
          onText={setText}
          onSave={() => mend(() => client.updateMemory({ memory_id, text }))}
        />
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
        onClick={() => mend(() => takeBack({ memory_id }))}
      >
        Undo
      </button>
      {problem && <p role="alert">{problem}</p>}
    </li>
  );
}

function Read({ memory, onEdit }: { memory: string; onEdit: () => void }) {
  return (
    <>
      <span class="grow" dir="auto">
        {memory}
      </span>
      <button type="button" aria-label={`Edit ${memory}`} onClick={onEdit}>
        Edit
      </button>
    </>
  );
}

type EditedProps = {
  text: string;
  busy: boolean;
  onText: (text: string) => void;
  onSave: () => void;
};

function Edited({ text, busy, onText, onSave }: EditedProps) {
  return (
    <>
      <input
        class="grow"
        aria-label="New text"
        dir="auto"
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <button type="button" class="primary" disabled={busy} onClick={onSave}>
        Save
      </button>
    </>
  );
}
