import { ApiError, invalid } from '../errors.ts';
import { type EntityIds, type EntityType, entityIdField } from '../schemas/entity.ts';

/**
 * Throws unless an input names the entity of a lock, and that is the only one: what is of one of
 * several entities reaches beyond the others. An entity that is hidden is said to be unknown.
 */
export function checkLockedEntity(
  { entity_type, entity_id }: Readonly<Record<string, unknown>>,
  lock: Partial<EntityIds>,
): void {
  const field = entityIdField(entity_type as EntityType);
  if (lock[field] === undefined || lock[field] !== entity_id) throw hiddenError();
  if (Object.keys(lock).length === 1) return;
  throw invalid(
    'entity_id',
    'this entity cannot be deleted as a whole: the scope is also locked to other ids; delete by ' +
      'filter instead',
  );
}

/** Unknown and hidden records get the same error, so that nobody learns which exist. */
export function hiddenError(): ApiError {
  return new ApiError('not_found', 'not found');
}

export function beyondLock(): ApiError {
  return new ApiError(
    'forbidden',
    'the scope is locked to certain entities, and this call reaches beyond them',
  );
}
