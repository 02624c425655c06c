import { useEffect, useState } from 'preact/hooks';
import type { HistoryEntry } from '../../client.ts';
import { changeWords } from '../parts/change-words.ts';
import { Difference } from '../parts/difference.tsx';
import { messageOf } from '../parts/message-of.ts';
import { client } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';

/** What happened to a memory, newest first: what was removed, and what was put in its place. */
export function History({ memory_id, updated_at }: { memory_id: string; updated_at: string }) {
  const [entries, setEntries] = useState<HistoryEntry[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    client
      .getHistory({ memory_id })
      .then(({ results }) => setEntries(results.toReversed()))
      .catch((error: unknown) => setProblem(messageOf(error)));
  }, [memory_id, updated_at]);
  return (
    <section aria-label="History">
      <h2>History</h2>
      {problem && <p role="alert">{problem}</p>}
      <ol class="history">
        {entries.map(({ id, event, old_memory, new_memory, created_at }) => (
          <li key={id}>
            <span class="quiet">
              {changeWords[event]} <time dateTime={created_at}>{minuteOf(created_at)}</time>
            </span>
            <Difference before={old_memory} after={new_memory} />
          </li>
        ))}
      </ol>
    </section>
  );
}
