import type { HistoryEntry } from '../../contract/schemas/change.ts';
import { changeWords } from '../changes/change-words.ts';
import { Ago } from '../parts/ago.tsx';
import { linkTo } from '../parts/place.ts';
import type { HomeValue } from './home-value.ts';

/** Lists the last changes, with the agents and apps that made them. */
export function Learned({ changes, learnedToday }: HomeValue) {
  return (
    <div>
      <section aria-label="Recent changes">
        <h2>Recent changes</h2>
        <ol class="results">
          {changes.slice(0, 8).map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </ol>
      </section>
      <section aria-label="Learned today">
        <h2>Learned today, by agent</h2>
        <BySource entries={learnedToday} />
      </section>
    </div>
  );
}

/** Lists the owners with the most memories. */
export function TopOwners({ owners }: HomeValue) {
  return (
    <section aria-label="Owners">
      <h2>Owners</h2>
      <ol class="results">
        {owners.map(({ id, name, type, total_memories }) => (
          <li key={`${type} ${id}`}>
            <a class="what" dir="auto" href={linkTo('people', `${type}/${id}`)}>
              <span class="tag">{type}</span>
              {name}
            </a>
            <span class="score">{total_memories.toLocaleString('en')}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Row({ entry }: { entry: HistoryEntry }) {
  const { event, memory_id, new_memory, old_memory, created_at } = entry;
  const text = new_memory ?? old_memory;
  const source = sourceOf(entry);
  return (
    <li>
      <span class="what" dir="auto">
        <span class="tag">{changeWords[event]}</span>
        {event === 'DELETE' ? text : <a href={linkTo('memories', memory_id)}>{text}</a>}
        {source !== '' && <span class="quiet"> · {source}</span>}
      </span>
      <Ago instant={created_at} />
    </li>
  );
}

/** The agent and the app that a memory names; no client is recorded otherwise. */
function sourceOf({ agent_id, app_id }: HistoryEntry): string {
  return [agent_id, app_id].filter((id) => id !== null).join(' in ');
}

function BySource({ entries }: { entries: readonly HistoryEntry[] }) {
  if (entries.length === 0) return <p class="quiet">Nothing was learned today.</p>;
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const source = sourceOf(entry);
    counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  return (
    <ol class="results">
      {[...counts]
        .toSorted(([, one], [, other]) => other - one)
        .map(([source, count]) => (
          <li key={source}>
            <span class="what" dir="auto">
              {source || <span class="quiet">no agent_id or app_id was given</span>}
            </span>
            <span class="score">{count.toLocaleString('en')}</span>
          </li>
        ))}
    </ol>
  );
}
