import { useMemo } from 'preact/hooks';
import type { Output } from '../../contract.ts';
import { DayChart } from '../charts/day-chart.tsx';
import { linkTo, place, setParams } from '../parts/place.ts';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

const periods = { 30: '30 days', 90: '90 days', 365: 'A year' };
const categoriesMax = 4;

type GrowthProps = {
  total: number;
  /** The last change, as text: when it differs, the charts are read again. */
  newest: string;
};

/** The number of days that the address asks for. */
export function periodInPlace(): number {
  const { days = '' } = place.value.params;
  return Object.hasOwn(periods, days) ? Number(days) : 30;
}

/** How the memory grew, what was learned about, and how often it was asked. */
export function Growth({ total, newest }: GrowthProps) {
  const days = periodInPlace();
  const { value, problem } = useLoaded(async () => client.getGrowth({ days }), `${days} ${newest}`);
  return (
    <section aria-label="Growth" class="growth">
      <fieldset class="bar">
        <legend class="hidden">Period</legend>
        {Object.entries(periods).map(([count, words]) => (
          <button
            key={count}
            type="button"
            aria-pressed={Number(count) === days}
            onClick={() => setParams({ days: count })}
          >
            {words}
          </button>
        ))}
      </fieldset>
      {problem && <p role="alert">{problem}</p>}
      {value !== null && <Charts days={value.days} total={total} />}
    </section>
  );
}

type Day = Output<'get_growth'>['days'][number];

function Charts({ days, total }: { days: readonly Day[]; total: number }) {
  const { names, totals, categories } = useMemo(() => figuresOf(days, total), [days, total]);
  const searchSeries = useMemo(
    () => [{ label: 'Searches', values: days.map(({ searches }) => searches) }],
    [days],
  );
  const additions = days.reduce((sum, { added }) => sum + added, 0);
  const searches = days.reduce((sum, day) => sum + day.searches, 0);
  return (
    <div class="charts">
      <DayChart title="Memories" total={total} days={names} series={totals} look="area" />
      <DayChart
        title={categories.length === 0 ? 'Learned' : 'Learned, by category'}
        total={additions}
        days={names}
        series={categories.length === 0 ? addedOf(days) : categories}
        look={categories.length > 1 ? 'lines' : 'bars'}
      />
      <DayChart title="Asked" total={searches} days={names} series={searchSeries} look="bars" />
      <Tokens days={days} names={names} />
    </div>
  );
}

/** Charts the tokens that agents got; if recalls are not kept, says where to switch that on. */
function Tokens({ days, names }: { days: readonly Day[]; names: readonly string[] }) {
  const series = useMemo(
    () => [{ label: 'Tokens', values: days.map(({ recalled_tokens }) => recalled_tokens) }],
    [days],
  );
  const title = 'Tokens given to agents';
  const total = days.reduce((sum, { recalled_tokens }) => sum + recalled_tokens, 0);
  if (total > 0) return <DayChart {...{ title, total, series }} days={names} look="bars" />;
  return (
    <figure class="card chart">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <p class="quiet">
        Not known: no recalls of these days are kept.{' '}
        <a href={linkTo('settings', 'trust')}>Settings</a> can keep them.
      </p>
    </figure>
  );
}

function addedOf(days: readonly Day[]) {
  return [{ label: 'Memories', values: days.map(({ added }) => added) }];
}

/** The total of each day, counted back from today's, and the categories with the most memories. */
function figuresOf(days: readonly Day[], total: number) {
  let count = total;
  const totals = days.toReversed().map(({ added, deleted }) => {
    const dayTotal = count;
    count = Math.max(0, count - added + deleted);
    return dayTotal;
  });
  const sums = new Map<string, number>();
  for (const [name, count] of days.flatMap((day) => Object.entries(day.categories))) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  const largest = [...sums].toSorted(([, one], [, other]) => other - one).slice(0, categoriesMax);
  return {
    names: days.map(({ day }) => day),
    totals: [{ label: 'Memories', values: totals.toReversed() }],
    categories: largest.map(([label]) => ({
      label,
      values: days.map(({ categories }) => categories[label] ?? 0),
    })),
  };
}
