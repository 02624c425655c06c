import * as z from 'zod';
import { isObject } from '../is-object.ts';
import { Filters } from './filter.ts';
import { mapFilterIds } from './filter-ids.ts';
import { uuid } from './text.ts';

/**
 * What an id names. `history` is a memory too, but one that may be deleted by now; `profile_job` is
 * a job that generates profiles.
 */
export const recordKinds = [
  'memory',
  'history',
  'event',
  'export',
  'webhook',
  'profile_job',
  'recall',
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** The schemas of record ids, and those of filters, whose conditions may hold ids. */
const idSchemas = z.registry<{ takes: RecordKind | 'filter' }>();
idSchemas.add(Filters, { takes: 'filter' });

/** The id of a record of this kind, in the field of this name. */
export function recordId(kind: RecordKind, field: string) {
  return registerRecordId(kind, uuid(field));
}

/** Registers that the schema takes the id of such a record, and returns it. */
export function registerRecordId<S extends z.ZodType>(kind: RecordKind, schema: S): S {
  idSchemas.add(schema, { takes: kind });
  return schema;
}

/** `place` is where the id is: a condition of a filter may compare with any text. */
type MapRecordId = (kind: RecordKind, id: unknown, place: 'field' | 'filter') => unknown;

/** The value with its ids of records mapped, wherever the schema says that it takes one. */
export function mapRecordIds(schema: z.ZodType, value: unknown, map: MapRecordId): unknown {
  const takes = idSchemas.get(schema)?.takes;
  if (takes === 'filter') return mapFilterIds(value, (id) => map('memory', id, 'filter'));
  if (takes !== undefined) return map(takes, value, 'field');
  if (schema instanceof z.ZodOptional) return mapRecordIds(typed(schema.unwrap()), value, map);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => mapRecordIds(typed(schema.element), item, map));
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return [name, field === undefined ? part : mapRecordIds(typed(field), part, map)];
  });
  return Object.fromEntries(parts);
}

/** Parts of schemas have a type of zod's core, but the contract makes all of its own with zod. */
function typed(schema: z.core.$ZodType): z.ZodType {
  return schema as z.ZodType;
}
