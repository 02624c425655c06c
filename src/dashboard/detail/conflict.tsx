import { useEffect, useRef } from 'preact/hooks';
import { Difference } from '../changes/difference.tsx';
import { type DraftField, fieldLabels, fieldText, type MemoryDraft } from './draft.ts';

type ConflictProps = {
  fields: readonly DraftField[];
  theirs: MemoryDraft;
  mine: MemoryDraft;
  busy: boolean;
  onTheirs: () => void;
  onMine: () => void;
};

/** Shows what somebody else stored during the edit, and what saving would replace it with. */
export function Conflict({ fields, theirs, mine, busy, onTheirs, onMine }: ConflictProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <section class="conflict" aria-label="Changed meanwhile">
      <p role="alert">
        This memory was changed while you edited it. Crossed out is what it says now, and beside it
        what you typed.
      </p>
      {fields.map((field) => (
        <div key={field}>
          <span class="quiet">{fieldLabels[field]}</span>
          <Difference before={fieldText(field, theirs)} after={fieldText(field, mine)} />
        </div>
      ))}
      <div class="bar">
        <button type="button" ref={keep} disabled={busy} onClick={onTheirs}>
          Keep theirs
        </button>
        <button type="button" class="danger" disabled={busy} onClick={onMine}>
          Save mine
        </button>
      </div>
    </section>
  );
}
