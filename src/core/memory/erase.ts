import { ApiError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import {
  type EntityIds,
  type EntityType,
  entityIdField,
  entityIdFields,
} from '../../contract/schemas/entity.ts';
import { matchesEverything } from '../../contract/schemas/filter.ts';
import type { Receipt } from '../../contract/schemas/receipt.ts';
import type { Output, Parsed } from '../../contract.ts';
import { createTurns } from '../../turns.ts';
import { eraseExportsOfEntity, eraseExportsOfMemories } from '../export/erase-exports.ts';
import { recordEvent, type UnitOfWork } from '../history/record.ts';
import type {
  Deps,
  ErasureSubject,
  ErasureTable,
  ProjectCall,
  ProjectRef,
  RowCounts,
} from '../ports/index.ts';
import { endQueuedAdds, isQueuedOwner } from '../queue/end-queued-adds.ts';
import { memoryNotFound } from './not-found.ts';
import { type SelectionConditions, selectAllMatching } from './selection.ts';

/** Erases memories by ids, or all that match; deleted ones too. */
export async function eraseMatching(
  deps: Deps,
  { memory_ids, ...conditions }: Parsed<'erase_memories'>,
  { project }: ProjectCall,
): Promise<Output<'erase_memories'>> {
  const selection = selectAllMatching(conditions, deps);
  if (memory_ids === undefined && matchesEverything(selection.filter)) {
    const problem =
      'at least one of memory_ids, user_id, agent_id, app_id, run_id, metadata, filters is required';
    throw new ApiError('invalid', problem, { fields: { memory_ids: [problem] } });
  }
  const erased = await erase(deps, project, {
    select: async (erasure, tables) => {
      if (memory_ids === undefined) {
        const { filter } = selection;
        await endQueuedAdds(deps, { tables, project }, { filter, by: 'erased' });
        return erasure.select(project, { selection });
      }
      const owners = pickOwners(conditions);
      const subject = await erasure.select(project, { ids: memory_ids, owners });
      const missing = memory_ids.find((id) => !subject.ids.has(id));
      if (missing !== undefined) throw memoryNotFound(missing);
      return subject;
    },
    alsoErase: eraseExportsOfMemories,
    event_type: 'DELETE_ALL',
    payload: {},
  });
  const { answer, deletedBefore } = erased;
  const earlier = deletedBefore === 0 ? '' : `, and ${deletedBefore} that were deleted before`;
  return {
    message: `Erased ${formatCount(answer.deleted, 'memory', 'memories')}${earlier}`,
    ...answer,
  };
}

function pickOwners(conditions: SelectionConditions): Partial<EntityIds> {
  const owners = entityIdFields.filter((field) => conditions[field] !== undefined);
  return Object.fromEntries(owners.map((field) => [field, conditions[field]]));
}

/** Erases an entity and everything that carries its id, all or nothing. */
export async function eraseEntity(
  deps: Deps,
  { entity_type, entity_id }: Parsed<'delete_entity'>,
  { project }: ProjectCall,
): Promise<Output<'delete_entity'>> {
  const entity: DeletedEntity = { type: entity_type, id: entity_id };
  const { type, id } = entity;
  const { answer } = await erase(deps, project, {
    select: async (erasure, tables) => {
      const owner = { field: entityIdField(type), id };
      const isKnown =
        (await tables.entities.find(project, type, id)) !== null ||
        (await isQueuedOwner({ tables, project }, owner));
      if (!isKnown) throw new ApiError('not_found', 'entity not found');
      const selection = selectAllMatching({ entity_type, entity_id });
      return erasure.select(project, { selection }, entity);
    },
    alsoErase: async (unit) => {
      await unit.tables.entities.delete(project, type, id);
      return eraseExportsOfEntity(unit, entity);
    },
    event_type: 'DELETE_ENTITY',
    payload: { entity_type },
  });
  return { message: 'Entity deleted successfully', ...answer };
}

type DeletedEntity = { type: EntityType; id: string };

type Erasing = {
  select(erasure: ErasureTable, tables: UnitOfWork['tables']): Promise<ErasureSubject>;
  /** What only core can decide; returns how many exports went. */
  alsoErase(unit: UnitOfWork, subject: ErasureSubject): Promise<number>;
  event_type: 'DELETE_ALL' | 'DELETE_ENTITY';
  /** Holds no word of what is erased. */
  payload: Record<string, unknown>;
};

type Erased = {
  answer: { deleted: number; event_id: string; receipt: Receipt };
  deletedBefore: number;
};

/** One transaction erases; a second look, after its commit, makes the receipt. */
async function erase(
  deps: Deps,
  project: ProjectRef,
  { select, alsoErase, ...event }: Erasing,
): Promise<Erased> {
  // Reads that are recorded later would name the entity again.
  await deps.flushEvents?.();
  const { subject, erased, event_id } = await deps.store.transaction(async (tables) => {
    const unit = { tables, project };
    const subject = await select(tables.erasure, tables);
    const counts = await tables.erasure.countOwn(project, subject);
    const stopOverwriting = await tables.erasure.overwriteDeleted(project);
    try {
      const exports = await alsoErase(unit, subject);
      const copies = await eraseEverywhere(deps, unit, subject);
      const metadata = { deleted: subject.positions.length };
      const event_id = await recordEvent(deps, unit, { ...event, metadata });
      return { subject, erased: sumCounts(counts, copies, { exports }), event_id };
    } finally {
      await stopOverwriting();
    }
  });
  const remaining = await deps.store.erasure.count(project, subject);
  const removed = subtract(erased, remaining);
  const checked_at = deps.clock.now();
  const receipt = { removed, remaining, outside: placesOutside(subject), checked_at };
  return {
    answer: { deleted: subject.positions.length, event_id, receipt },
    deletedBefore: subject.ids.size - subject.positions.length,
  };
}

async function eraseEverywhere(
  { clock }: Deps,
  { tables, project }: UnitOfWork,
  subject: ErasureSubject,
): Promise<RowCounts> {
  const yieldTurn = createTurns();
  for (const some of subject.parts) {
    await tables.memories.delete(project, some);
    await yieldTurn();
  }
  const { events, counts } = await tables.erasure.erase(project, subject);
  const now = clock.now();
  await tables.events.settleUnfinished(project, events, {
    status: 'FAILED',
    error: 'what it was about was erased before this was done',
    completed_at: now,
    updated_at: now,
  });
  return counts;
}

/** Copies that mneme cannot reach. */
const outside = [
  'backups and exported files',
  'what webhooks delivered and clients keep',
  'free space of a SQLite file and its write-ahead log, until `mneme erase --verify`',
  'dead rows, write-ahead log and replicas of a PostgreSQL server',
];

function placesOutside({ undecided }: ErasureSubject): string[] {
  if (undecided === null) return outside;
  const { memories, fields } = undecided;
  const lacks = `which lacks ${fields.join(', ')}: erase them by their ids or entity`;
  return [...outside, `${memories} deleted memories, known from the history alone, ${lacks}`];
}

function sumCounts(...parts: RowCounts[]): RowCounts {
  const sum: RowCounts = {};
  for (const [table, count] of parts.flatMap((part) => Object.entries(part))) {
    sum[table] = count + (sum[table] ?? 0);
  }
  return sum;
}

function subtract(before: RowCounts, after: RowCounts): RowCounts {
  const counts = Object.entries(before).map(
    ([table, count]) => [table, count - (after[table] ?? 0)] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
