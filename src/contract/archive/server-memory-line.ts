import * as z from 'zod';
import { ApiError } from '../errors.ts';
import { isObject } from '../is-object.ts';
import { parseInput } from '../parse-input.ts';

const Name = z.string().trim().min(1, 'must hold text');

/** The lines of a file of `@modelcontextprotocol/server-memory`, by their `type`. */
const graphLines = {
  entity: z.object({
    name: Name,
    entityType: z.string().trim().default(''),
    observations: z.array(z.string()).default([]),
  }),
  relation: z.object({ from: Name, to: Name, relationType: Name }),
};

type GraphLines = { [K in keyof typeof graphLines]: z.output<(typeof graphLines)[K]> };
export type EntityLine = { type: 'entity' } & GraphLines['entity'];
export type RelationLine = { type: 'relation' } & GraphLines['relation'];
export type GraphLine = EntityLine | RelationLine;

/** Reads one line. Throws `invalid` naming every field that is wrong. */
export function parseGraphLine(value: unknown): GraphLine {
  if (!isObject(value)) throw new ApiError('invalid', 'must be a JSON object');
  const { type, ...fields } = value;
  const { entity, relation } = graphLines;
  if (type === 'entity') return { type, ...parseInput({ input: entity }, fields) };
  if (type === 'relation') return { type, ...parseInput({ input: relation }, fields) };
  throw new ApiError('invalid', 'type: must be entity or relation');
}

/** Whether a line is of such a file, right or wrong in its details. */
export function isGraphLine(value: unknown): boolean {
  return isObject(value) && (value.type === 'entity' || value.type === 'relation');
}
