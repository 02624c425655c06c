import { useMemo, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import type { HistoryEntry } from '../../contract/schemas/change.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { axesOf, type Colors, daysOf, inUtc, Plot } from '../charts/plot.tsx';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** A version of a memory: when it was learned, and since when it is true, in seconds. */
type Version = { learnedAt: number; truth: number };
type Arc = { from: Version; to: Version };
type Times = { versions: Version[]; arcs: Arc[] };

/** Earlier versions are read one by one, so only this many. */
const arcsMax = 30;

type ArcsProps = { entries: readonly HistoryEntry[] };

/** When things were learned against when they were true; read when somebody opens it. */
export function LearnedAndTrue({ entries }: ArcsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="call" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Chart: learned on, true since</summary>
      {isOpen && <Arcs entries={entries} />}
    </details>
  );
}

/**
 * What was learned late lies below the diagonal, plans above it, and an arc leads from a text to
 * the one that superseded it.
 */
function Arcs({ entries }: ArcsProps) {
  const key = entries.map(({ id }) => id).join(' ');
  const { value, problem } = useLoaded(() => readTimes(entries), key);
  if (problem) return <p role="alert">{problem}</p>;
  if (value === null) return <p>Loading…</p>;
  if (value.versions.length === 0) return <p class="quiet">None of these memories is kept.</p>;
  return (
    <figure class="card chart">
      <figcaption>
        {value.arcs.length > 0
          ? 'Lines lead from an earlier text of a memory to its present one.'
          : 'None of these memories had another text before.'}
      </figcaption>
      <ArcPlot times={value} />
    </figure>
  );
}

function ArcPlot({ times }: { times: Times }) {
  const versions = useMemo(
    () => times.versions.toSorted((one, other) => one.learnedAt - other.learnedAt),
    [times],
  );
  const data = useMemo(
    () =>
      [
        versions.map(({ learnedAt }) => learnedAt),
        versions.map(({ truth }) => truth),
      ] as uPlot.AlignedData,
    [versions],
  );
  return <Plot height={240} data={data} options={(colors) => optionsOf(colors, times.arcs)} />;
}

async function readTimes(entries: readonly HistoryEntry[]): Promise<Times> {
  const ids = [...new Set(entries.map(({ memory_id }) => memory_id))];
  if (ids.length === 0) return { versions: [], arcs: [] };
  const { results } = await client.getMemories({ filters: { id: { in: ids } }, page_size: 100 });
  const now = new Map((results as Memory[]).map((memory) => [memory.id, memory])); // all fields
  const writes = entries.filter(({ event }) => event !== 'DELETE');
  const versions = writes.flatMap(({ memory_id, created_at }) => {
    const memory = now.get(memory_id);
    return memory === undefined ? [] : [versionOf(memory, created_at)];
  });
  const rewrites = entries.filter(
    ({ event, old_memory, new_memory }) => event === 'UPDATE' && old_memory !== new_memory,
  );
  const answers = await Promise.all(
    rewrites.slice(0, arcsMax).map((entry) => readArc(entry, now.get(entry.memory_id))),
  );
  const arcs = answers.filter((arc) => arc !== null);
  return { versions: [...versions, ...arcs.map(({ from }) => from)], arcs: arcs };
}

/** Null where the earlier version is not kept any more. */
async function readArc(
  { memory_id, created_at }: HistoryEntry,
  now: Memory | undefined,
): Promise<Arc | null> {
  if (now === undefined) return null;
  const as_of = new Date(Date.parse(created_at) - 1).toISOString();
  const version = await client.getMemory({ memory_id, as_of }).catch(() => null);
  if (version === null) return null;
  return { from: versionOf(version, version.updated_at), to: versionOf(now, created_at) };
}

function versionOf({ valid_from, occurred_at }: Memory, learned_at: string): Version {
  const truth = valid_from ?? occurred_at ?? learned_at;
  return { learnedAt: secondsOf(learned_at), truth: secondsOf(truth) };
}

function secondsOf(instant: string): number {
  return Date.parse(instant) / 1000;
}

function optionsOf(colors: Colors, arcs: readonly Arc[]) {
  const [point = colors.ink, arc = colors.ink] = colors.series;
  const [xAxis, yAxis] = axesOf(colors);
  return {
    tzDate: inUtc,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: true }, y: { time: true, range: roomy } },
    padding: [12, 40, 0, 0] as uPlot.Padding, // the last day has room
    axes: [
      { ...xAxis, ...title('Learned on'), size: 28 },
      { ...yAxis, ...title('True since'), size: 84, values: daysOf },
    ],
    series: [
      {},
      {
        stroke: point,
        paths: () => null,
        points: { show: true, size: 8, fill: point, stroke: point },
      },
    ],
    hooks: { draw: [(plot: uPlot) => drawArcs(plot, arcs, arc)] },
  };
}

function title(label: string): uPlot.Axis {
  return { label, labelSize: 20, labelFont: '12px system-ui, sans-serif' };
}

const dayS = 86_400;

/** One moment alone would have no scale. */
function roomy(_plot: uPlot, least: number, most: number): [number, number] {
  const room = Math.max((most - least) * 0.1, dayS);
  return [least - room, most + room];
}

function drawArcs(plot: uPlot, arcs: readonly Arc[], color: string): void {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const { from, to } of arcs) {
    const [x1, y1] = [
      plot.valToPos(from.learnedAt, 'x', true),
      plot.valToPos(from.truth, 'y', true),
    ];
    const [x2, y2] = [plot.valToPos(to.learnedAt, 'x', true), plot.valToPos(to.truth, 'y', true)];
    const rise = 12 * devicePixelRatio + Math.abs(x2 - x1) / 6;
    const peak = Math.max(plot.bbox.top + ctx.lineWidth, Math.min(y1, y2) - rise);
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    // Halfway, such a curve is halfway to the point that bends it.
    ctx.quadraticCurveTo((x1 + x2) / 2, 2 * peak - (y1 + y2) / 2, x2, y2);
    ctx.stroke();
  }
  ctx.restore();
}
