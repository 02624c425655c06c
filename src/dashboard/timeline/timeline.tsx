import { useState } from 'preact/hooks';
import type { HistoryEntry } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { changeWords } from '../parts/change-words.ts';
import { Difference } from '../parts/difference.tsx';
import { pastDay } from '../parts/past.tsx';
import { linkTo } from '../parts/place.ts';
import { client } from '../parts/session.ts';
import { shownDay, today } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Arcs } from './arcs.tsx';

const dayMs = 86_400_000;
const pageSize = 100;

/** What was learned, changed and deleted on which day, and the day that the dashboard shows. */
export function Timeline() {
  const [page, setPage] = useState(1);
  const { value, problem } = useLoaded(() => readPage(page), String(page));
  if (value === null) return <p class="page">{problem || 'Loading…'}</p>;
  const { results, total, first } = value;
  if (total === 0) {
    return (
      <p class="empty">Nothing has been learned yet. Each change will stand here by its day.</p>
    );
  }
  const pages = Math.ceil(total / pageSize);
  return (
    <div class="page">
      {problem && <p role="alert">{problem}</p>}
      <DaySlider first={first} />
      <Arcs entries={results} />
      {byDay(results).map(([day, entries]) => (
        <section key={day} aria-label={day} class={isAfterShown(day) ? 'day later' : 'day'}>
          <h2>
            <time dateTime={day}>{day}</time> <span class="quiet">{entries.length}</span>
          </h2>
          <ol class="history">
            {entries.map(({ id, event, memory_id, old_memory, new_memory }) => (
              <li key={id} class="change">
                <a class="quiet" href={linkTo('memories', memory_id)}>
                  {changeWords[event]}
                </a>
                <Difference before={old_memory} after={new_memory} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      <div class="bar">
        <button type="button" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Newer
        </button>
        <span class="quiet">
          {page} of {pages}
        </span>
        <button type="button" disabled={page === pages} onClick={() => setPage(page + 1)}>
          Older
        </button>
      </div>
      <CallAs operation="list_history" input={{ page, page_size: pageSize }} />
    </div>
  );
}

async function readPage(page: number) {
  const { results, total } = await client.listHistory({ page, page_size: pageSize });
  const oldest = await client.listHistory({ page: Math.max(1, total), page_size: 1 });
  // What was imported last may be from an earlier day.
  const days = [...oldest.results, ...results].map(({ created_at }) => shownDay(created_at));
  return { results, total, first: days.toSorted()[0] ?? today() };
}

/** From the day of the first change until today, which is the present. */
function DaySlider({ first }: { first: string }) {
  const days = Math.max(0, (Date.parse(today()) - Date.parse(first)) / dayMs);
  const shown = pastDay.value ?? today();
  const at = Math.round((Date.parse(shown) - Date.parse(first)) / dayMs);
  const choose = (index: number) => {
    const day = new Date(Date.parse(first) + index * dayMs).toISOString().slice(0, 10);
    pastDay.value = index >= days ? null : day;
  };
  return (
    <div class="slider">
      <label for="as-of">
        Show what was known: <strong>{pastDay.value ?? 'now'}</strong>
      </label>
      <input
        id="as-of"
        type="range"
        min={0}
        max={days}
        value={at}
        disabled={days === 0}
        aria-valuetext={pastDay.value ?? 'now'}
        onInput={(event) => choose(Number(event.currentTarget.value))}
      />
      <span class="quiet">
        {days === 0
          ? 'From tomorrow on you can go back to the days before.'
          : `${first} to today. The lists of memories and the answers follow.`}
      </span>
    </div>
  );
}

function isAfterShown(day: string): boolean {
  return pastDay.value !== null && day > pastDay.value;
}

function byDay(entries: readonly HistoryEntry[]): [string, HistoryEntry[]][] {
  const days = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    const day = shownDay(entry.created_at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].toSorted(([one], [other]) => (one < other ? 1 : -1));
}
