import { limits } from '../../contract/limits.ts';
import { dayMs } from '../../contract/wall-clock.ts';
import type { Output } from '../../contract.ts';
import { Difference } from '../changes/difference.tsx';
import { OwnerFilter, ownerScopeInPlace } from '../owners/owner-filter.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { linkTo, pastDay, place, setParams } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client } from '../parts/session.ts';
import { dayOfTime, instantOf, isDay, isInstant, minuteOf, shownDay } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { TimeInput } from './time-input.tsx';

const weekMs = 7 * dayMs;

/** What was added, changed and removed between two times. */
export function Compare() {
  const { params } = place.value;
  const from = params.from ?? shownDay(new Date(Date.now() - weekMs).toISOString());
  const to = params.to ?? pastDay.value ?? '';
  const limit = Math.min(Number(params.limit) || limits.diff_limit_default, limits.diff_limit_max);
  const input = { from, ...(to !== '' && { to }), ...ownerScopeInPlace(), limit };
  const { value: snapshots, problem: unlisted } = useLoaded(async () => client.listSnapshots(), '');
  const names = snapshots?.results ?? [];
  // The time of a snapshot is not known until the snapshots are read.
  const isKnown = snapshots !== null || unlisted !== '' || ![from, to].some(isName);
  const isReversed = isAfter({ from, to, snapshots: names });
  const { value, problem, reload } = useLoaded(
    async () => (isKnown && !isReversed ? client.diffChanges(input) : null),
    JSON.stringify([input, isKnown, isReversed]),
  );
  return (
    <>
      <div class="bar times">
        <TimeInput
          label="From"
          value={from}
          snapshots={names}
          onChange={(time) => setParams({ from: time || undefined })}
        />
        <TimeInput
          label="To"
          value={to}
          snapshots={names}
          onChange={(time) => setParams({ to: time || undefined })}
        />
        <OwnerFilter />
      </div>
      {isReversed && <Reversed from={from} to={to} />}
      <Problem problem={problem} reload={reload} />
      {value === null && !problem && !isReversed && <p>Loading…</p>}
      {value !== null && !problem && !isReversed && <Differences diff={value} limit={limit} />}
      <CallAs operation="diff_changes" input={input} />
    </>
  );
}

type ComparedTimes = { from: string; to: string };

/** Whether the first time is after the second; false if a time is now, or not known. */
function isAfter({ from, to, snapshots }: ComparedTimes & { snapshots: Snapshots }): boolean {
  const [begin, end] = [
    instantOfTime(from, '00:00', snapshots),
    instantOfTime(to, '24:00', snapshots),
  ];
  return begin !== null && end !== null && begin > end;
}

type Snapshots = Output<'list_snapshots'>['results'];

function isName(time: string): boolean {
  return time !== '' && dayOfTime(time) === null;
}

/** The instant of a time as the API takes it, of a day at this time of day. */
function instantOfTime(text: string, time: string, snapshots: Snapshots): string | null {
  if (isDay(text)) return instantOf(text, time);
  if (isInstant(text)) return new Date(text).toISOString();
  return snapshots.find(({ name }) => name === text)?.as_of ?? null;
}

function Reversed({ from, to }: ComparedTimes) {
  return (
    <p role="alert">
      “From” is later than “To”, so there is nothing to compare.{' '}
      <button type="button" onClick={() => setParams({ from: to, to: from })}>
        Swap them
      </button>
    </p>
  );
}

const groups = [
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['removed', 'Removed'],
] as const;

function Differences({ diff, limit }: { diff: Output<'diff_changes'>; limit: number }) {
  const count = groups.reduce((sum, [name]) => sum + diff[name].length, 0);
  const summary = groups.map(([name]) => `${diff[name].length} ${name}`).join(', ');
  return (
    <>
      <p role="status">
        <strong>{summary}</strong>{' '}
        <span class="quiet">
          from {minuteOf(diff.from)} to {minuteOf(diff.to)}
        </span>
      </p>
      {diff.has_more && <More limit={limit} />}
      {count === 0 && !diff.has_more && (
        <p class="empty">Nothing is different. Choose an earlier day to compare with.</p>
      )}
      {groups.map(([name, title]) => (
        <section key={name} aria-label={title} class="day" hidden={diff[name].length === 0}>
          <h2>
            {title} <span class="quiet">{diff[name].length}</span>
          </h2>
          <ol class="history">
            {diff[name].map(({ id, old_memory, memory }) => (
              <li key={id}>
                <a class="quiet" href={linkTo('memories', id)}>
                  Open
                </a>
                {old_memory === memory && <span class="quiet"> its text stayed the same</span>}
                <Difference before={old_memory} after={memory} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function More({ limit }: { limit: number }) {
  if (limit >= limits.diff_limit_max) {
    return <p>There are more. Choose an owner or days that are closer to see the others.</p>;
  }
  return (
    <p>
      There are more than these {limit}.{' '}
      <button type="button" onClick={() => setParams({ limit: String(limits.diff_limit_max) })}>
        Show up to {limits.diff_limit_max.toLocaleString('en')}
      </button>
    </p>
  );
}
