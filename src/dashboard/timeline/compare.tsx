import type { DiffChangesOutput } from '../../client.ts';
import { limits } from '../../contract/limits.ts';
import { Difference } from '../changes/difference.tsx';
import { OwnerFilter, ownerScopeInPlace } from '../owners/owner-filter.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { linkTo, pastDay, place, setParams } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client } from '../parts/session.ts';
import { minuteOf, shownDay } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { TimeInput } from './time-input.tsx';

const weekMs = 7 * 86_400_000;

/** What was added, changed and removed between two times. */
export function Compare() {
  const { params } = place.value;
  const from = params.from ?? shownDay(new Date(Date.now() - weekMs).toISOString());
  const to = params.to ?? pastDay.value ?? '';
  const limit = Math.min(Number(params.limit) || limits.diff_limit_default, limits.diff_limit_max);
  const input = { from, ...(to !== '' && { to }), ...ownerScopeInPlace(), limit };
  const { value: snapshots } = useLoaded(async () => client.listSnapshots(), '');
  const { value, problem, reload } = useLoaded(
    async () => client.diffChanges(input),
    JSON.stringify(input),
  );
  const names = snapshots?.results ?? [];
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
      <Problem problem={problem} reload={reload} />
      {value === null && !problem && <p>Loading…</p>}
      {value !== null && !problem && <Differences found={value} limit={limit} />}
      <CallAs operation="diff_changes" input={input} />
    </>
  );
}

const groups = [
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['removed', 'Removed'],
] as const;

function Differences({ found, limit }: { found: DiffChangesOutput; limit: number }) {
  const count = groups.reduce((sum, [name]) => sum + found[name].length, 0);
  const told = groups.map(([name]) => `${found[name].length} ${name}`).join(', ');
  return (
    <>
      <p role="status">
        <strong>{told}</strong>{' '}
        <span class="quiet">
          from {minuteOf(found.from)} to {minuteOf(found.to)}
        </span>
      </p>
      {found.has_more && <More limit={limit} />}
      {count === 0 && !found.has_more && (
        <p class="empty">Nothing is different. Choose an earlier day to compare with.</p>
      )}
      {groups.map(([name, title]) => (
        <section key={name} aria-label={title} class="day" hidden={found[name].length === 0}>
          <h2>
            {title} <span class="quiet">{found[name].length}</span>
          </h2>
          <ol class="history">
            {found[name].map(({ id, old_memory, memory }) => (
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
