import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { isoDayOf } from '../../contract/wall-clock.ts';
import { theme } from '../parts/theme.ts';

export type Colors = { ink: string; line: string; series: string[] };
type PlotProps = {
  height: number;
  data: uPlot.AlignedData;
  /** What the plot shows, in the colours of the theme. */
  options: (colors: Colors) => StrictOmit<uPlot.Options, 'width' | 'height'>;
};

/** A plot of uPlot's; screen readers get the table beside it instead. */
export function Plot({ height, data, options }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const currentTheme = theme.value; // draws again in other colours
  useEffect(() => {
    const target = box.current;
    if (target === null) return;
    let plot: uPlot | null = null;
    const draw = () => {
      plot?.destroy();
      const size = { width: target.clientWidth, height };
      plot = new uPlot({ ...options(colorsOf(target)), ...size }, data, target);
    };
    draw();
    const resizes = new ResizeObserver(() => {
      plot?.setSize({ width: target.clientWidth, height });
    });
    resizes.observe(target);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      resizes.disconnect();
      dark.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [data, currentTheme, height]);
  return <div class="plot" ref={box} aria-hidden="true" />;
}

/** The colours of the theme as values, because a canvas cannot use CSS variables. */
function colorsOf(element: HTMLElement): Colors {
  const earlierColor = element.style.color;
  const color = (name: string) => {
    element.style.color = `var(${name})`;
    return getComputedStyle(element).color;
  };
  const colors = {
    ink: color('--quiet'),
    line: color('--line'),
    series: [1, 2, 3, 4].map((number) => color(`--series-${number}`)),
  };
  element.style.color = earlierColor;
  return colors;
}

/** Axes in the colours of the theme; a day of any zone stands at its midnight of UTC. */
export function axesOf({ ink, line }: Colors): uPlot.Axis[] {
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  return [
    { ...axis, grid: { show: false }, values: daysOf, space: 90 },
    { ...axis, size: 44 },
  ];
}

/** Days in ISO 8601, and not as one country writes them. */
export function daysOf(_plot: uPlot, seconds: readonly number[]): string[] {
  return seconds.map((one) => isoDayOf(new Date(one * 1000).toISOString()));
}

export function inUtc(seconds: number): Date {
  return uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC');
}
