import type { HistoryEntry } from '../../contract/schemas/change.ts';
import { changeWords } from '../changes/change-words.ts';
import { Difference } from '../changes/difference.tsx';
import { Undo } from '../changes/undo.tsx';
import { OwnerFilter, ownerInPlace, ownerScopeInPlace } from '../owners/owner-filter.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { Pages, pageInPlace } from '../parts/pages.tsx';
import { goTo, linkTo, pastDay } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { shownDay, timeOf } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { LearnedAndTrue } from './arcs.tsx';
import { DayChoice } from './day-choice.tsx';

const pageSize = 100;

/** Lists what was learned, changed and deleted each day, with a choice of the day to show. */
export function Days() {
  const input = { ...ownerScopeInPlace(), page: pageInPlace(), page_size: pageSize };
  const { value, problem, reload } = useLoaded(
    async () => client.listHistory(input),
    JSON.stringify(input),
  );
  const first = useLoaded(readFirstDay, '');
  if (value === null) {
    return problem ? <Problem problem={problem} reload={reload} /> : <p>Loading…</p>;
  }
  const { results, total } = value;
  if (total === 0 && ownerInPlace() === null) {
    return (
      <p class="empty">Nothing has been learned yet. Each change will stand here by its day.</p>
    );
  }
  return (
    <>
      <Problem problem={problem} reload={reload} />
      <Problem problem={first.problem} reload={first.reload} />
      <DayChoice first={first.value === null ? null : earliestOf(first.value, results)} />
      <div class="bar">
        <OwnerFilter />
      </div>
      {total === 0 && <p class="empty">Nothing of this owner has changed.</p>}
      {byDay(results).map(([day, entries]) => (
        <Day key={day} day={day} entries={entries} newest={newestOf(results)} />
      ))}
      <Pages total={total} page_size={pageSize} />
      {total > 0 && <LearnedAndTrue entries={results} />}
      <CallAs operation="list_history" input={input} />
    </>
  );
}

/** The first day, or an earlier one of these entries, as after an import. */
function earliestOf(first: string, entries: readonly HistoryEntry[]): string {
  const days = entries.map(({ created_at }) => shownDay(created_at));
  return days.reduce((one, other) => (one < other ? one : other), first);
}

type DayProps = { day: string; entries: HistoryEntry[]; newest: ReadonlySet<string> };

function Day({ day, entries, newest }: DayProps) {
  const isLater = pastDay.value !== null && day > pastDay.value;
  const mayUndo = viewer.value?.mayWrite === true && pastDay.value === null;
  return (
    <section aria-label={day} class={isLater ? 'day later' : 'day'}>
      <h2>
        <time dateTime={day}>{day}</time> <span class="quiet">{entries.length}</span>{' '}
        <span class="day-links">
          <a href={linkTo('timeline', 'compare', { from: day, ...ownerScopeInPlace() })}>
            What changed since
          </a>
          {mayUndo && (
            <a href={linkTo('timeline', 'undo', { since: day, ...ownerScopeInPlace() })}>
              Undo since
            </a>
          )}
        </span>
      </h2>
      <ol class="history">
        {entries.map((entry) => (
          <DayEntry
            key={entry.id}
            entry={entry}
            isNewest={newest.has(entry.id)}
            mayUndo={mayUndo}
          />
        ))}
      </ol>
    </section>
  );
}

type DayEntryProps = { entry: HistoryEntry; isNewest: boolean; mayUndo: boolean };

function DayEntry({ entry, isNewest, mayUndo }: DayEntryProps) {
  const { event, memory_id, old_memory, new_memory, updated_at } = entry;
  const owner = entry.user_id ?? entry.agent_id ?? entry.app_id ?? entry.run_id;
  const as_of = new Date(Date.parse(updated_at) - 1).toISOString();
  return (
    <li class="change">
      <a class="quiet" href={linkTo('memories', memory_id)}>
        {changeWords[event]}
      </a>
      <time class="quiet" dateTime={updated_at}>
        {timeOf(updated_at)}
      </time>
      <Difference before={old_memory} after={new_memory} />
      <span class="quiet whose" dir="auto">
        {owner}
      </span>
      {mayUndo && (isNewest || event !== 'ADD') && (
        <Undo
          label={isNewest ? 'Undo' : 'Back to before this'}
          what={isNewest ? { memory_id } : { memory_id, as_of: as_of }}
          onUndone={(undone) => goTo('timeline', 'undo', { undone: undone ?? undefined })}
        />
      )}
    </li>
  );
}

/** The id of the last change of each memory, if it is on the newest page. */
function newestOf(entries: readonly HistoryEntry[]): ReadonlySet<string> {
  if (pageInPlace() > 1) return new Set();
  const newest = new Map<string, string>();
  for (const { id, memory_id } of entries) {
    if (!newest.has(memory_id)) newest.set(memory_id, id);
  }
  return new Set(newest.values());
}

/** The day of the very first change; today if nothing has changed yet. */
async function readFirstDay(): Promise<string> {
  const { total } = await client.listHistory({ page_size: 1 });
  const { results } = await client.listHistory({ page: Math.max(1, total), page_size: 1 });
  return shownDay(results[0]?.created_at ?? new Date().toISOString());
}

function byDay(entries: readonly HistoryEntry[]): [string, HistoryEntry[]][] {
  const days = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    const day = shownDay(entry.created_at);
    const group = days.get(day);
    if (group === undefined) days.set(day, [entry]);
    else group.push(entry);
  }
  return [...days].toSorted(([one], [other]) => (one < other ? 1 : -1));
}
