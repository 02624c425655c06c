import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import type { Network } from './network.ts';

export type Point = { x: number; y: number };
export type Box = Point & { width: number; height: number };
type PlacedEntity = SimulationNodeDatum & { name: string };

const width = 1000;
const height = 640;
/** After this many steps nothing moves; fewer suffice if most entities have their place. */
const steps = 120;
const stepsAround = 50;
/** The strength of the forces after the last step. */
const restMin = 0.001;

/**
 * Where each entity is. The same relations give the same picture, also after a reload, and entities
 * that have a place stay there, so that nothing jumps when more of them arrive.
 */
export function layOut(
  { entities, edges }: Network,
  before: ReadonlyMap<string, Point>,
): Map<string, Point> {
  const newCount = entities.filter(({ name }) => !before.has(name)).length;
  if (newCount === 0) return placesOf(entities, before);
  const ticks = newCount * 2 < entities.length ? stepsAround : steps;
  const nodes: PlacedEntity[] = entities
    .map(({ name }) => name)
    .toSorted()
    .map((name) => ({ name, ...fixedAt(before.get(name)) }));
  const links = edges.map(({ source, target }) => ({ source, target }));
  forceSimulation(nodes)
    .force('links', forceLink<PlacedEntity, (typeof links)[number]>(links).id(nameOf).distance(90))
    .force('apart', forceManyBody().strength(-320))
    .force('no overlap', forceCollide(34))
    .force('across', forceX(width / 2).strength(0.05))
    .force('down', forceY(height / 2).strength(0.09))
    .alphaDecay(1 - restMin ** (1 / ticks))
    .stop()
    .tick(ticks);
  return new Map(nodes.map(({ name, x = 0, y = 0 }) => [name, { x, y }]));
}

function placesOf(
  entities: Network['entities'],
  before: ReadonlyMap<string, Point>,
): Map<string, Point> {
  return new Map(entities.map(({ name }) => [name, before.get(name) ?? { x: 0, y: 0 }]));
}

function nameOf({ name }: PlacedEntity): string {
  return name;
}

function fixedAt(point: Point | undefined) {
  return point === undefined ? {} : { ...point, fx: point.x, fy: point.y };
}

/** The part of the plane that holds all points, with room for their names. */
export function boxAround(points: Iterable<Point>): Box {
  const all = [...points];
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - 90, Math.min(...ys) - 50];
  const [wide, high] = [Math.max(...xs) - left + 90, Math.max(...ys) - top + 50];
  const [width, height] = [Math.max(wide, 560), Math.max(high, 360)];
  return { x: left - (width - wide) / 2, y: top - (height - high) / 2, width, height };
}
