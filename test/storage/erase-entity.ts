import type { EntityType } from '../../src/contract/schemas/entity.ts';
import { selectAllMatching } from '../../src/core/memory/selection.ts';
import type { EventPatch, ProjectRef, Store } from '../../src/core/ports/index.ts';

/** Erases what the tables other than memories and entities hold of an entity. */
export function eraseEntity(
  store: Store,
  project: ProjectRef,
  { settle, ...entity }: { type: EntityType; id: string; settle?: EventPatch },
): Promise<void> {
  const selection = selectAllMatching({ entity_type: entity.type, entity_id: entity.id });
  return store.transaction(async ({ erasure, events }) => {
    const subject = await erasure.select(project, { selection }, entity);
    const erased = await erasure.erase(project, subject);
    if (settle !== undefined) await events.settleUnfinished(project, erased.events, settle);
  });
}
