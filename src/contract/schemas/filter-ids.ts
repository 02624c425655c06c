import { isObject } from '../is-object.ts';
import { fieldAliases, groupByKeyword } from './filter.ts';
import { parseIfJson } from './json.ts';

type MapMemoryId = (id: unknown) => unknown;

/**
 * A filter on the wire with the ids of memories mapped that its conditions compare with, whole. A
 * part of an id, as `contains` takes it, stays as it is.
 */
export function mapFilterIds(wire: unknown, map: MapMemoryId): unknown {
  return mapClause(parseIfJson(wire), map);
}

function mapClause(clause: unknown, map: MapMemoryId): unknown {
  if (!isObject(clause)) return clause;
  const parts = Object.entries(clause).map(([key, value]) => [key, mapPart(key, value, map)]);
  return Object.fromEntries(parts);
}

function mapPart(key: string, value: unknown, map: MapMemoryId): unknown {
  if (Object.hasOwn(groupByKeyword, key.toUpperCase())) {
    return Array.isArray(value)
      ? value.map((clause) => mapClause(clause, map))
      : mapClause(value, map);
  }
  return (fieldAliases.get(key) ?? key) === 'id' ? mapOperand(value, map) : value;
}

function mapOperand(value: unknown, map: MapMemoryId): unknown {
  if (Array.isArray(value)) return value.map((id) => mapId(id, map));
  if (!isObject(value)) return mapId(value, map);
  const operands = Object.entries(value).map(([operator, operand]) => {
    if (operator === 'eq' || operator === 'ne') return [operator, mapId(operand, map)];
    if (operator !== 'in' && operator !== 'nin') return [operator, operand];
    const list = typeof operand === 'string' ? operand.split(',').map((id) => id.trim()) : operand;
    return [operator, Array.isArray(list) ? list.map((id) => mapId(id, map)) : list];
  });
  return Object.fromEntries(operands);
}

/** The filter language takes a number for an id too. */
function mapId(id: unknown, map: MapMemoryId): unknown {
  return map(typeof id === 'number' ? String(id) : id);
}
