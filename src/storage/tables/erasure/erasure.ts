import { sql } from 'kysely';
import { type EntityIds, entityIdField, entityIdFields } from '../../../contract/schemas/entity.ts';
import type {
  ErasedCopies,
  ErasureSubject,
  ProjectRef,
  RowCounts,
} from '../../../core/ports/index.ts';
import { createTurns, partsBySize } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';
import { hasEmbeddingModels } from '../search/vectors.ts';
import { countMentions, eraseMentions, findMessages } from './copies.ts';
import { type ErasureChoice, findMemories } from './find-memories.ts';
import { messagesOf } from './mentions.ts';
import { type ErasableTable, erasableTables } from './tables.ts';

export async function selectSubject(
  at: DbContext,
  project: ProjectRef,
  choice: ErasureChoice,
  entity: ErasureSubject['entity'] = null,
): Promise<ErasureSubject> {
  const { memories, undecided } = await findMemories(at, project, choice);
  const ofEntity = entity === null ? [] : await findOfEntity(at, project, entity);
  const ids = new Set([...memories, ...ofEntity].map(({ id }) => id));
  const sizes = new Map(memories.map(({ id, bytes }) => [id, bytes]));
  const sizeOf = (id: string) => sizes.get(id) ?? 0;
  const parts = partsBySize(ids, { most: idsAtOnce, size: bytesAtOnce, sizeOf });
  const positions = memories.flatMap(({ position }) => (position === null ? [] : [position]));
  const owners = distinctOwners([...memories, ...ofEntity]);
  const sources = new Set<string>();
  const subject = { ids, parts, positions, owners, sources, entity, undecided };
  return { ...subject, sources: await findSources(at, project, subject) };
}

/** Few enough that reading or deleting what belongs to them holds up nobody. */
const idsAtOnce = 1000;

/** Counts texts only: with what belongs to the memories, it is a few times as many bytes. */
const bytesAtOnce = 1_000_000;

function distinctOwners(memories: readonly EntityIds[]): EntityIds[] {
  const owners = memories.map(({ user_id, agent_id, app_id, run_id }) => {
    const ids = { user_id, agent_id, app_id, run_id };
    return [JSON.stringify(ids), ids] as const;
  });
  return [...new Map(owners).values()];
}

/** Memories of which any change was the entity's. */
async function findOfEntity(
  { db }: DbContext,
  project: ProjectRef,
  { type, id }: NonNullable<ErasureSubject['entity']>,
): Promise<(EntityIds & { id: string })[]> {
  return db
    .selectFrom('history')
    .select(['memory_id as id', ...entityIdFields])
    .distinct()
    .where('project_key', '=', project.key)
    .where(entityIdField(type), '=', id)
    .execute();
}

/** Deleting a memory empties its history of messages, which its events and other memories keep. */
async function findSources(
  at: DbContext,
  project: ProjectRef,
  subject: ErasureSubject,
): Promise<Set<string>> {
  const { db, dialect } = at;
  const { ids, parts, positions } = subject;
  const sources = new Set<string>();
  const yieldTurn = createTurns();
  for (const some of parts) {
    await yieldTurn();
    const rows = await db
      .selectFrom('history')
      .select([...entityIdFields, 'input'])
      .where('project_key', '=', project.key)
      .where(dialect.filter.isIn(sql.ref('history.memory_id'), some))
      .where('input', '<>', '[]')
      .execute();
    for (const row of rows) for (const one of messagesOf(row, ['input'])) sources.add(one);
  }
  const events = erasableTables(at).find(({ name }) => name === 'events');
  if (events === undefined || ids.size === positions.length) return sources;
  const memories = { ...subject, entity: null };
  const messageIds = await findMessages(at, project, { table: events, subject: memories });
  return new Set([...sources, ...messageIds]);
}

export async function countAll(
  at: DbContext,
  project: ProjectRef,
  subject: ErasureSubject,
): Promise<RowCounts> {
  const counts = await countOwn(at, project, subject);
  for (const table of erasableTables(at)) {
    const copies = await countMentions(at, project, { table, subject });
    if (copies > 0) counts[table.name] = copies + (counts[table.name] ?? 0);
  }
  return counts;
}

/** Rows that are erased with the memories and the entity, and their entries in indexes. */
export async function countOwn(
  at: DbContext,
  project: ProjectRef,
  subject: ErasureSubject,
): Promise<RowCounts> {
  const counts: RowCounts = {};
  const yieldTurn = createTurns();
  for (const table of erasableTables(at)) {
    await yieldTurn();
    const count = await countOwnRows(at, project, { table, subject });
    if (count > 0) counts[table.name] = count;
  }
  const { textIndex, vectorIndex } = at.dialect;
  const words = await textIndex.count(at.db, subject.positions);
  if (words > 0) counts.memory_fts = words;
  const hasVectors = await hasEmbeddingModels(at);
  const vectors = hasVectors ? await vectorIndex.count(at.db, subject.positions) : 0;
  if (vectors > 0) counts.vectors = vectors;
  return counts;
}

type TableSubject = { table: ErasableTable; subject: ErasureSubject };

/** The condition that a row goes with some memories. */
function isOfMemories(
  { dialect }: DbContext,
  { memory }: ErasableTable,
  ids: readonly string[],
): SqlCondition | null {
  if (memory === undefined || ids.length === 0) return null;
  return dialect.filter.isIn(sql.ref(memory), ids);
}

/** The condition that a row goes with the entity, by what names it. */
function isOfEntity({ name, memory, owners }: ErasableTable, { entity }: ErasureSubject) {
  if (entity === null) return null;
  if (name === 'entities') return sql<boolean>`(type = ${entity.type} and id = ${entity.id})`;
  if (memory === undefined || owners.length === 0) return null;
  return sql<boolean>`${sql.ref(entityIdField(entity.type))} = ${entity.id}`;
}

/** One condition after the other, by an index each: for both at once, all rows would be read. */
async function countOwnRows(
  at: DbContext,
  project: ProjectRef,
  { table, subject }: TableSubject,
): Promise<number> {
  const ofMemories = isOfMemories(at, table, [...subject.ids]);
  const ofEntity = isOfEntity(table, subject);
  const others = ofMemories === null ? ofEntity : sql`${ofEntity} and not (${ofMemories})`;
  const conditions = [ofMemories, ofEntity === null ? null : others].filter((one) => one !== null);
  if (conditions.length === 0) return 0;
  const counts = conditions.map(
    (isWanted) => sql`(select count(*) from ${sql.table(table.name)}
      where ${table.isOfProject(project)} and ${isWanted})`,
  );
  const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)}
    as total`.execute(at.db);
  return Number(rows[0]?.total ?? 0);
}

export async function eraseAll(
  at: DbContext,
  project: ProjectRef,
  subject: ErasureSubject,
): Promise<ErasedCopies> {
  const events: string[] = [];
  const counts: RowCounts = {};
  for (const table of erasableTables(at)) {
    // Memories, with their counters and index entries, and entities have statements of their own.
    if (table.name === 'memories' || table.name === 'entities') continue;
    await eraseOwnRows(at, project, { table, subject });
    const touched = await eraseMentions(at, project, { table, subject });
    counts[table.name] = touched.length;
    if (table.name === 'events') events.push(...touched);
  }
  return { events, counts };
}

async function eraseOwnRows(
  at: DbContext,
  project: ProjectRef,
  { table, subject }: TableSubject,
): Promise<void> {
  const yieldTurn = createTurns();
  const ofMemories = subject.parts.map((ids) => isOfMemories(at, table, ids));
  for (const isOwn of [...ofMemories, isOfEntity(table, subject)]) {
    if (isOwn === null) continue;
    await sql`delete from ${sql.table(table.name)}
      where ${table.isOfProject(project)} and ${isOwn}`.execute(at.db);
    await yieldTurn();
  }
}
