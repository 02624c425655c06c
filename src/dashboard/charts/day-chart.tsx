import { useMemo } from 'preact/hooks';
import uPlot from 'uplot';
import { Scroll } from '../parts/scroll.tsx';
import { axesOf, type Colors, inUtc, Plot } from './plot.tsx';

type Series = { label: string; values: readonly number[] };
type DayChartProps = {
  title: string;
  /** YYYY-MM-DD, the oldest first. */
  days: readonly string[];
  series: readonly Series[];
  look: 'area' | 'lines' | 'bars';
};

/** Numbers by day: as a picture, and as a table for those who want the numbers. */
export function DayChart({ title, days, series, look }: DayChartProps) {
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
        <strong>{title}</strong>
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
      <Plot height={150} data={data} options={(colors) => optionsOf(colors, series, look)} />
      <details>
        <summary>Numbers</summary>
        <Scroll label={`${title}, numbers`}>
          <Numbers days={days} series={series} />
        </Scroll>
      </details>
    </figure>
  );
}

function optionsOf(colors: Colors, series: readonly Series[], look: DayChartProps['look']) {
  const bars = uPlot.paths.bars?.({ size: [0.7, 24] });
  return {
    tzDate: inUtc,
    legend: { show: false },
    cursor: { show: false },
    axes: axesOf(colors),
    scales: { y: { range: rangeOf } },
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

/** From zero, and at least to one, so that nothing looks like much. */
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
