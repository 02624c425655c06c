import { ApiError, invalid } from '../errors.ts';
import { type EntityIds, type EntityType, entityIdField } from '../schemas/entity.ts';

/**
 * Throws unless an input names the only entity of a lock: one of several reaches beyond the others.
 * A hidden entity is reported as unknown. Without a lock, any entity may be named.
 */
export function checkLockedEntity(
  { entity_type, entity_id }: Readonly<Record<string, unknown>>,
  lock: Partial<EntityIds>,
): void {
  if (Object.keys(lock).length === 0) return;
  const field = entityIdField(entity_type as EntityType);
  if (lock[field] === undefined || lock[field] !== entity_id) throw hiddenError('entity');
  if (Object.keys(lock).length === 1) return;
  throw invalid(
    'entity_id',
    'this entity cannot be deleted as a whole: the scope is also locked to other ids; delete by ' +
      'filter instead',
  );
}

/** The input with the locked ids; another id in one of their fields is refused. */
export function withLockedFields<I extends Readonly<Record<string, unknown>>>(
  input: I,
  lock: object,
): I {
  for (const [field, id] of Object.entries(lock)) {
    if ((input[field] ?? id) === id) continue;
    throw invalid(field, `the scope is locked to ${field} ${JSON.stringify(id)}; leave it out`);
  }
  return { ...input, ...lock };
}

/** Unknown and hidden records get the same error, so that nobody learns which exist. */
export function hiddenError(noun = 'memory'): ApiError {
  return new ApiError('not_found', `${noun} not found`);
}

/** For an operation that a lock of entities cannot limit. */
export function beyondLock(name: string, lock: object): ApiError {
  const ids = Object.entries(lock).map(([field, id]) => `${field} ${JSON.stringify(id)}`);
  const problem = `the scope is locked to ${ids.join(', ')}, and ${name} reaches beyond it`;
  return new ApiError('forbidden', problem, { next: 'Ask the user to do it without lock_scope.' });
}
