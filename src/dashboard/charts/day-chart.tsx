import { useMemo } from 'preact/hooks';
import uPlot from 'uplot';
import { Scroll } from '../parts/scroll.tsx';
import { axesOf, type Colors, inUtc, Plot } from './plot.tsx';

type Series = { label: string; values: readonly number[] };
type DayChartProps = {
  title: string;
  /** The total beside the title. */
  total: number;
  /** YYYY-MM-DD, the oldest first. */
  days: readonly string[];
  series: readonly Series[];
  look: 'area' | 'lines' | 'bars';
};

/** Numbers by day: as a picture, and as a table for those who want the numbers. */
export function DayChart({ title, total, days, series, look }: DayChartProps) {
  const data = useMemo(
    () =>
      [
        days.map((day) => Date.parse(day) / 1000),
        ...series.map(({ values }) => [...values]),
      ] as uPlot.AlignedData, // one list of times, and one for each series
    [days, series],
  );
  return (
    <figure class="card chart">
      <figcaption>
        <strong>{title}</strong> <span class="quiet score">{total.toLocaleString('en')}</span>
        {series.length > 1 && (
          <ul class="legend">
            {series.map(({ label }, at) => (
              <li key={label} class={`series-${at + 1}`}>
                {label}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      <Plot height={130} data={data} options={(colors) => optionsOf(colors, series, look)} />
      <p class="ends quiet">
        {endsOf(days).map((day) => (
          <span key={day}>{day}</span>
        ))}
      </p>
      <details>
        <summary>Numbers</summary>
        <Scroll label={`${title}, numbers`}>
          <Numbers days={days} series={series} />
        </Scroll>
      </details>
    </figure>
  );
}

/** The first day and the last one: `31 Oct`, with the year where they are of two. */
function endsOf(days: readonly string[]): string[] {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const year = first.slice(0, 4) === last.slice(0, 4) ? undefined : 'numeric';
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year,
    timeZone: 'UTC',
  });
  return [first, last].filter((day) => day !== '').map((day) => format.format(new Date(day)));
}

function optionsOf(colors: Colors, series: readonly Series[], look: DayChartProps['look']) {
  const bars = uPlot.paths.bars?.({ size: [0.7, 24] });
  return {
    tzDate: inUtc,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 0, 8, 0] as uPlot.Padding,
    axes: axesOf(colors).map((axis, at) => ({ ...axis, show: at > 0 })), // its ends stand below
    scales: { y: { range: rangeOf }, ...(look === 'bars' && { x: { range: withHalfDays } }) },
    series: [
      {},
      ...series.map(({ label }, at) => {
        const stroke = colors.series[at % colors.series.length] ?? colors.ink;
        const lines = { label, stroke, width: 2, points: { show: false } };
        if (look === 'lines') return lines;
        const fill = look === 'bars' ? stroke : `color-mix(in srgb, ${stroke} 13%, transparent)`;
        return { ...lines, fill, ...(look === 'bars' && bars && { paths: bars, width: 0 }) };
      }),
    ],
  };
}

/** The bars of the first and of the last day have their whole width. */
function withHalfDays(_plot: uPlot, first: number, last: number): [number, number] {
  return [first - 43_200, last + 43_200];
}

/** The range of the axis starts at 0 and ends at 1 or more, so that small numbers look small. */
function rangeOf(_plot: uPlot, _least: number, most: number): [number, number] {
  return [0, Math.max(most * 1.1, 1)];
}

function Numbers({ days, series }: Pick<DayChartProps, 'days' | 'series'>) {
  const rows = days
    .map((day, at) => ({ day, values: series.map(({ values }) => values[at] ?? 0) }))
    .filter(({ values }) => values.some((value) => value !== 0))
    .toReversed();
  if (rows.length === 0) return <p class="quiet">Nothing in these days.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ day, values }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            {values.map((value, at) => (
              <td key={at}>{value.toLocaleString('en')}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
