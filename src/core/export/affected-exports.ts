import { type EntityIds, type EntityType, entityIdField } from '../../contract/schemas/entity.ts';
import { parseFilter } from '../../contract/schemas/filter.ts';
import { compareEntityId, matchWhatIsKnown } from '../known-match.ts';
import type { StoredExport } from '../ports/index.ts';

export type ExportedEntity = { type: EntityType; id: string };

/** False when what an export was made of surely holds no memory that carries this entity's id. */
export function mayContainEntity(
  record: Pick<StoredExport, keyof EntityIds | 'filters'>,
  { type, id }: ExportedEntity,
): boolean {
  const field = entityIdField(type);
  const ownerId = record[field];
  if (ownerId !== null && ownerId !== id) return false;
  return (
    record.filters === null ||
    matchWhatIsKnown(parseFilter(record.filters), (part) =>
      part.field === field ? compareEntityId(part, id) : null,
    ) !== false
  );
}

/** True when an export names this entity as its own. */
export function namesEntity(record: EntityIds, { type, id }: ExportedEntity): boolean {
  return record[entityIdField(type)] === id;
}
