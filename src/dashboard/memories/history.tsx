import { useEffect, useState } from 'preact/hooks';
import type { HistoryEntry } from '../../client.ts';
import { messageOf } from '../parts/message-of.ts';
import { minuteOf } from '../parts/minute-of.ts';
import { client } from '../parts/session.ts';

const verbs = { ADD: 'Learned', UPDATE: 'Changed', DELETE: 'Deleted' };

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
              {verbs[event]} <time dateTime={created_at}>{minuteOf(created_at)}</time>
            </span>
            {old_memory !== null && old_memory !== new_memory && <del dir="auto">{old_memory}</del>}
            {new_memory !== null && <ins dir="auto">{new_memory}</ins>}
          </li>
        ))}
      </ol>
    </section>
  );
}
