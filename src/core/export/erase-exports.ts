import { type EntityIds, typedIdFields } from '../../contract/schemas/entity.ts';
import type { UnitOfWork } from '../history/record.ts';
import type { ErasureSubject, ExportScope } from '../ports/index.ts';
import { type ExportedEntity, mayContainEntity, namesEntity } from './affected-exports.ts';

/**
 * An export may tell of an entity that it does not name. What is being made of such memories is
 * begun again, when they are gone. Returns how many were erased.
 */
export async function eraseExportsOfEntity(
  unit: UnitOfWork,
  entity: ExportedEntity,
): Promise<number> {
  const { tables, project } = unit;
  const all = await tables.exports.listByEntity(project, entity.type, entity.id);
  const concerned = all.filter((record) => mayContainEntity(record, entity));
  return eraseExports(unit, concerned, (record) => namesEntity(record, entity));
}

/** Exports that may contain a memory of the same entities. */
export async function eraseExportsOfMemories(
  unit: UnitOfWork,
  { owners }: ErasureSubject,
): Promise<number> {
  const concerned = new Map<string, ExportScope>();
  for (const ids of owners) {
    for (const record of await findExportsOf(unit, ids)) concerned.set(record.id, record);
  }
  return eraseExports(unit, [...concerned.values()], () => false);
}

async function findExportsOf(unit: UnitOfWork, ids: EntityIds): Promise<ExportScope[]> {
  const entities = typedIdFields.flatMap(({ type, field }) => {
    const id = ids[field];
    return id === null ? [] : [{ type, id }];
  });
  const [first] = entities;
  if (first === undefined) return [];
  const all = await unit.tables.exports.listByEntity(unit.project, first.type, first.id);
  const isForeign = (record: ExportScope) =>
    typedIdFields.some(({ field }) => record[field] !== null && record[field] !== ids[field]);
  return all.filter(
    (record) => !isForeign(record) && entities.every((entity) => mayContainEntity(record, entity)),
  );
}

/** Finished ones go, and so do those that must; the others are begun again. */
async function eraseExports(
  { tables, project }: UnitOfWork,
  concerned: readonly ExportScope[],
  mustGo: (record: ExportScope) => boolean,
): Promise<number> {
  const isErased = (record: ExportScope) =>
    mustGo(record) || record.status === 'SUCCEEDED' || record.status === 'FAILED';
  const erased = concerned.filter(isErased).map(({ id }) => id);
  const again = concerned.filter((record) => !isErased(record)).map(({ id }) => id);
  await tables.exports.delete(project, erased);
  await tables.jobs.revokeLeases(project, again);
  return erased.length;
}
