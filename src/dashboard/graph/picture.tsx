import { useEffect, useMemo, useState } from 'preact/hooks';
import { boxAround, layOut, type Point } from './layout.ts';
import {
  cutTo,
  type Edge,
  keyOf,
  type NamedEntity,
  type Network,
  relationWords,
  touches,
} from './network.ts';
import { Zoomable } from './zoomable.tsx';

/** How many entities a picture has room for. */
export const drawnMax = 90;
/** With more entities than this, only the names around the chosen one are written. */
const namedMax = 45;

type PictureProps = {
  network: Network;
  /** The newest relations: they do not depend on the chosen entity, and fix the layout. */
  newest: Network;
  entity: string | null;
  /** The relation whose memory is shown: it gets a label. */
  edge: Edge | null;
  onEntity: (name: string | null) => void;
  onEdge: (edge: Edge) => void;
};

/**
 * The relations as a picture. It is hidden from screen readers and keyboards, because the lists
 * beside it say and do the same.
 */
export function Picture(props: PictureProps) {
  return useIsWide() ? <Drawn {...props} /> : null;
}

const wide = matchMedia('(min-width: 801px)');

/** On phones nobody could read the names in a picture; the lists say the same. */
function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(wide.matches);
  useEffect(() => {
    const change = () => setIsWide(wide.matches);
    wide.addEventListener('change', change);
    return () => wide.removeEventListener('change', change);
  }, []);
  return isWide;
}

function Drawn({ network, newest, entity, edge, onEntity, onEdge }: PictureProps) {
  const part = useMemo(() => cutTo(drawnMax, network, entity), [network, entity]);
  const base = useMemo(() => layOut(cutTo(drawnMax, newest, null), new Map()), [newest]);
  const points = useMemo(() => layOut(part, base), [part, base]);
  const neighbours = new Set(
    part.edges
      .filter((edge) => touches(edge, entity))
      .flatMap((edge) => [edge.source, edge.target]),
  );
  const isNear = (name: string) => entity === null || name === entity || neighbours.has(name);
  const choose = ({ target }: MouseEvent) => {
    const element = target instanceof Element ? target.closest<SVGElement>('g[data-at]') : null;
    const { at = '', kind } = element?.dataset ?? {};
    const relation = kind === 'edge' ? part.edges[Number(at)] : undefined;
    if (relation !== undefined) onEdge(relation);
    else onEntity(kind === 'entity' ? (part.entities[Number(at)]?.name ?? null) : null);
  };
  const inView = [...points].filter(([name]) => isNear(name)).map(([, point]) => point);
  const lookOf = (one: Edge) => {
    if (edge !== null && keyOf(one) === keyOf(edge)) return 'chosen';
    return entity === null ? 'plain' : touches(one, entity) ? 'near' : 'far';
  };
  return (
    <figure class="graph-figure">
      <Zoomable key={entity} box={boxAround(inView)} onClick={choose}>
        {part.edges.map((one, at) => (
          <Line key={keyOf(one)} at={at} edge={one} points={points} look={lookOf(one)} />
        ))}
        {part.entities.map((one, at) => {
          const look = one.name === entity ? 'chosen' : isNear(one.name) ? 'near' : 'far';
          const isNamed = entity !== null || part.entities.length <= namedMax || one.degree > 3;
          const point = points.get(one.name) ?? { x: 0, y: 0 };
          return <Node key={one.name} {...{ at, look, isNamed, point }} entity={one} />;
        })}
      </Zoomable>
      <figcaption>
        <Legend />
      </figcaption>
    </figure>
  );
}

function Legend() {
  return (
    <ul class="legend" aria-label="Colours">
      <li class="series-1">person</li>
      <li class="series-3">place</li>
      <li class="series-2">organization</li>
      <li class="series-4">thing or topic</li>
      <li class="other">other</li>
    </ul>
  );
}

type NodeProps = {
  at: number;
  entity: NamedEntity;
  look: 'chosen' | 'near' | 'far';
  isNamed: boolean;
  point: Point;
};

function Node({ at, entity: { name, type, degree }, look, isNamed, point: { x, y } }: NodeProps) {
  return (
    <g
      class={`node ${look}`}
      data-kind="entity"
      data-at={at}
      data-type={type}
      transform={`translate(${x} ${y})`}
    >
      <circle r={radiusOf(degree)} />
      {isNamed && look !== 'far' && <text y={radiusOf(degree) + 16}>{shortened(name)}</text>}
      <title>{`${name} (${type})`}</title>
    </g>
  );
}

type LineProps = {
  at: number;
  edge: Edge;
  points: ReadonlyMap<string, Point>;
  look: 'plain' | 'near' | 'far' | 'chosen';
};

function Line({ at, edge, points, look }: LineProps) {
  const [from, to] = [points.get(edge.source), points.get(edge.target)];
  if (from === undefined || to === undefined) return null;
  return (
    <g class={`edge ${look}`} data-kind="edge" data-at={at}>
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      <line class="target" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      <text x={(from.x + to.x) / 2} y={(from.y + to.y) / 2 - 4}>
        {shortened(relationWords(edge))}
      </text>
      <title>{`${edge.source} ${relationWords(edge)} ${edge.target}`}</title>
    </g>
  );
}

function radiusOf(degree: number): number {
  return Math.min(8 + Math.sqrt(degree) * 3, 24);
}

function shortened(name: string): string {
  return name.length > 22 ? `${name.slice(0, 21)}…` : name;
}
