// Shapes of inputs that published clients and agents send, rewritten to those of the schemas.

import { invalid } from '../errors.ts';
import { isObject } from '../is-object.ts';
import { entityIdFields, typedIdFields } from '../schemas/entity.ts';
import { parseIfJson } from '../schemas/json.ts';

/** The entity ids of an add may also come inside `filters`. */
export function liftEntityIds(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const filters = parseIfJson(raw.filters);
  if (!isObject(filters)) return { ...raw };
  const ids = entityIdFields.filter((field) => filters[field] !== undefined);
  return { ...Object.fromEntries(ids.map((field) => [field, filters[field]])), ...raw };
}

/** Agents pay for each result that they read: what is weak beside the best one is left out. */
export function cutWeakResults(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...args, cut: args.cut ?? 'relaxed' };
}

/** The hosted service's tool says what called it; that is kept unless the metadata says it. */
export function readToolAdd(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { source, ...given } = args;
  const rest: Record<string, unknown> = { find_similar: true, ...given };
  if (source === undefined || source === null) return rest;
  if (typeof source !== 'string') throw invalid('source', 'must be a string');
  const metadata = parseIfJson(rest.metadata ?? {});
  // Metadata of another type is refused later, by its schema.
  if (!isObject(metadata) || (metadata.source ?? null) !== null) return rest;
  return { ...rest, metadata: { ...metadata, source } };
}

/** Early clients send `text: { text, metadata }`. An id in there is ignored. */
export function flattenText(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!isObject(raw.text)) return { ...raw };
  const { text, metadata = raw.metadata } = raw.text;
  return { ...raw, text, metadata };
}

/** Clients send `memories: [{ memory_id }]` where the specification has `memory_ids`. */
export function pickMemoryIds(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read = readMemoryLists(raw);
  if (read.memory_ids !== undefined || !Array.isArray(read.memories)) return read;
  const ids = read.memories.map((item) => (isObject(item) ? item.memory_id : item));
  return { ...read, memory_ids: ids };
}

/** Models send a list as its JSON, and one id or object without a list around it. */
export function readMemoryLists(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read = { ...raw };
  for (const field of ['memory_ids', 'memories']) {
    const value = parseIfJson(raw[field]);
    if (typeof raw[field] !== 'string') continue;
    read[field] = Array.isArray(value) ? value : [isObject(value) ? value : raw[field]];
  }
  return read;
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

/** The hosted service's tool names the entity to erase by the id field of its type. */
export function nameEntity(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { user_id: _u, agent_id: _a, app_id: _p, run_id: _r, ...rest } = args;
  const entityFields = typedIdFields.filter((one) => (args[one.field] ?? null) !== null);
  const [first, second] = entityFields;
  if (first === undefined) return rest;
  const { type: entity_type, field } = first;
  const entity_id = args[field];
  const isOther =
    (rest.entity_type ?? entity_type) !== entity_type ||
    (rest.entity_id ?? entity_id) !== entity_id;
  if (second !== undefined || isOther) {
    const allowed = `entity_type and entity_id, or one of ${entityIdFields.join(', ')}`;
    throw invalid(second?.field ?? field, `names a second entity; send ${allowed}`);
  }
  return { ...rest, entity_type, entity_id };
}
