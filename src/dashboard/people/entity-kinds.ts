import { type EntityType, entityTypes } from '../../contract/schemas/entity.ts';
import type { Output } from '../../contract.ts';
import { linkTo } from '../parts/place.ts';

/** An owner of memories. */
export type EntityRef = { entity_type: EntityType; entity_id: string };

/** The names of the kinds of entities, singular and plural. */
export const entityKinds = {
  user: ['user', 'Users'],
  agent: ['agent', 'Agents'],
  app: ['app', 'Apps'],
  run: ['session', 'Sessions'],
} as const satisfies Record<EntityType, readonly [string, string]>;

export function isEntityType(text: string | undefined): text is EntityType {
  return entityTypes.some((type) => type === text);
}

/** The page of one of them. An id may hold anything that an address can't, so it is encoded. */
export function linkToEntity({ entity_type, entity_id }: EntityRef): string {
  return linkTo('people', `${entity_type}/${entity_id}`);
}

/** Reads `user/ada`; null if it names no kind. An id may hold slashes itself. */
export function parseEntity(path: string): EntityRef | null {
  const at = path.indexOf('/');
  const [entity_type, entity_id] = [path.slice(0, at), path.slice(at + 1)];
  return isEntityType(entity_type) && entity_id !== '' ? { entity_type, entity_id } : null;
}

/** The field of a request that names it. */
export function scopeOfEntity({ entity_type, entity_id }: EntityRef): Record<string, string> {
  return { [`${entity_type}_id`]: entity_id };
}

/** What a page of somebody begins with; `entity` is null if nobody has that id. */
export type PersonFacts = {
  entity: Output<'list_entities'>['results'][number] | null;
  /** Null in the past, of which they are not counted. */
  changes: { total: number; last: string | null } | null;
  /** The event that deleted all that they had; null while they have memories. */
  deletion: string | null;
};
