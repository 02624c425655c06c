import type { Memory } from '../../contract/schemas/memory.ts';
import { changeWords } from '../changes/change-words.ts';
import { Difference } from '../changes/difference.tsx';
import { Ago } from '../parts/ago.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Changed } from './changed.tsx';
import { Restore } from './restore.tsx';
import { type PastEntry, readPast } from './versions.ts';

type HistoryProps = {
  memory: Memory;
  mayEdit: boolean;
  onRestored: (memory: Memory) => void;
};

/** The changes of a memory, newest first: what each removed, and what replaced it. */
export function History({ memory, mayEdit, onRestored }: HistoryProps) {
  const { id, updated_at } = memory;
  const { value, problem, reload } = useLoaded(() => readPast(id), `${id} ${updated_at}`);
  const current = value?.isDeleted === true ? null : memory.memory;
  return (
    <section aria-label="History">
      <h2>History</h2>
      <Problem problem={problem} reload={reload} />
      <ol class="history">
        {value?.entries.map((entry) => (
          <Entry
            key={entry.change.id}
            entry={entry}
            current={current}
            onRestored={
              mayEdit
                ? (restored) => {
                    onRestored(restored);
                    void reload(); // failures are kept in `problem`
                  }
                : null
            }
          />
        ))}
      </ol>
    </section>
  );
}

type EntryProps = {
  entry: PastEntry;
  current: string | null;
  /** Null where nothing may be changed. */
  onRestored: ((memory: Memory) => void) | null;
};

function Entry({ entry: { change, recorded_from }, current, onRestored }: EntryProps) {
  const { event, old_memory, new_memory, created_at, memory_id, changed, undo } = change;
  return (
    <li>
      <span class="quiet">
        {changeWords[event]}
        {undo === true && ' by an undo'} <Ago instant={created_at} exact />
      </span>
      {/* A change of other fields leaves the text as it was. */}
      {(event !== 'UPDATE' || old_memory !== new_memory) && (
        <Difference before={old_memory} after={new_memory} />
      )}
      {changed !== undefined && <Changed fields={changed} />}
      {onRestored !== null && new_memory !== null && new_memory !== current && (
        <Restore
          version={{ memory_id, text: new_memory, recorded_from }}
          current={current}
          onRestored={onRestored}
        />
      )}
    </li>
  );
}
