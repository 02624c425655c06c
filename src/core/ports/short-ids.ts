import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { RecordKind } from '../../contract/schemas/record-id.ts';
import type { ProjectRef } from './tenants.ts';

/** Ids of owners as an input names them. */
type OwnerIds = { [field in keyof EntityIds]?: string | undefined };

/** Records whose ids end alike: the first and the last id, and how many there are. */
export type ShortIdMatch = { short_id: string; ids: string[]; total: number };

export type ShortIdTable = {
  /** The short ids that exist among the records of these entities. */
  find(
    project: ProjectRef,
    kind: RecordKind,
    wanted: { short_ids: readonly string[]; ids: OwnerIds },
  ): Promise<ShortIdMatch[]>;
};
