// Shapes of inputs that published clients and agents send, rewritten to those of the schemas.

import { invalid } from '../errors.ts';
import { isObject } from '../is-object.ts';
import { entityIdFields } from '../schemas/entity.ts';
import { parseIfJson } from '../schemas/json.ts';

/** The entity ids of an add may also come inside `filters`. */
export function liftEntityIds(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const filters = parseIfJson(raw.filters);
  if (!isObject(filters)) return { ...raw };
  const ids = entityIdFields.filter((field) => filters[field] !== undefined);
  return { ...Object.fromEntries(ids.map((field) => [field, filters[field]])), ...raw };
}

/** Agents of the hosted service say with `source` which client adds: it is kept as metadata. */
export function keepSource({ source, ...raw }: Readonly<Record<string, unknown>>) {
  if (source === undefined || source === null) return raw;
  const metadata = parseIfJson(raw.metadata ?? {});
  if (!isObject(metadata)) return raw;
  return { ...raw, metadata: { source, ...metadata } };
}

/** Early clients send `text: { text, metadata }`. An id in there is ignored. */
export function flattenText(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!isObject(raw.text)) return { ...raw };
  const { text, metadata = raw.metadata } = raw.text;
  return { ...raw, text, metadata };
}

/** Clients send `memories: [{ memory_id }]` where the specification has `memory_ids`. */
export function pickMemoryIds(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (raw.memory_ids !== undefined || !Array.isArray(raw.memories)) return { ...raw };
  const ids = raw.memories.map((item) => (isObject(item) ? item.memory_id : item));
  return { ...raw, memory_ids: ids };
}

/**
 * Clients send `*` for all four entities to delete everything. ANDed, these match only memories
 * with all four ids, so they become an OR, which every memory matches.
 */
export function expandWildcards(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!entityIdFields.every((field) => raw[field] === '*')) return { ...raw };
  const { user_id, agent_id, app_id, run_id, filters, ...rest } = raw;
  const any = { OR: [{ user_id }, { agent_id }, { app_id }, { run_id }] };
  const others = filters ?? null;
  return { ...rest, filters: others === null ? any : { AND: [any, parseIfJson(others)] } };
}

/** Agents of the hosted service name the entity by `user_id` or another id: one of them. */
export function nameEntity(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = entityIdFields.filter((field) => (raw[field] ?? null) !== null);
  const [field, other] = named;
  if (field === undefined || 'entity_type' in raw || 'entity_id' in raw) return { ...raw };
  if (other !== undefined) throw invalid(other, `names a second entity beside ${field}; name one`);
  const { [field]: entity_id, ...rest } = raw;
  return { ...rest, entity_type: field.replace(/_id$/, ''), entity_id };
}
