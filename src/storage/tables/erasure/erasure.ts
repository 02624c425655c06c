import { sql } from 'kysely';
import { type EntityIds, entityIdField, entityIdFields } from '../../../contract/schemas/entity.ts';
import type { Message } from '../../../contract/schemas/message.ts';
import type {
  ErasureSubject,
  ErasureTable,
  ProjectRef,
  RowCounts,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import { fromJson } from '../../sql/json.ts';
import { hasEmbeddingModels } from '../search/vectors.ts';
import { countMentions, eraseMentions } from './copies.ts';
import { sourceFingerprint } from './mentions.ts';
import { type ErasableTable, erasableTables } from './tables.ts';

/** What the rules of the columns say about erasing, as statements. */
export function createErasureTable(at: DbContext): ErasureTable {
  return {
    select: async (project, wanted, entity = null) => {
      const memories = await findMemories(at, project, wanted);
      const deleted = await findDeleted(at, project, { wanted, entity });
      const ids = new Set([...memories.map(({ id }) => id), ...deleted]);
      const positions = memories.map(({ position }) => position);
      const owners = distinctOwners(memories);
      const sources = await findSources(at, project, [...ids]);
      return { ids, positions, owners, sources, entity };
    },
    count: (project, subject) => countAll(at, project, subject),
    erase: (project, subject) => eraseAll(at, project, subject),
    overwriteDeleted: () => at.dialect.overwriteDeleted(at.db),
    rewriteIndexes: async (project) => {
      if (await hasEmbeddingModels(at)) await at.dialect.vectorIndex.rewrite(at.db, project);
    },
  };
}

type MemoryRef = EntityIds & { id: string; position: number };
type ErasureChoice = Parameters<ErasureTable['select']>[1];

/** With the memories that were merged into them, whose texts say the same. */
async function findMemories(
  at: DbContext,
  project: ProjectRef,
  wanted: ErasureChoice,
): Promise<MemoryRef[]> {
  const { filter } = at.dialect;
  const memories = at.db
    .selectFrom('memories')
    .select(['id', 'position', ...entityIdFields])
    .where('project_key', '=', project.key);
  let found = await memories
    .where(
      'ids' in wanted
        ? sql<boolean>`${filter.isIn(sql.ref('memories.id'), wanted.ids)}
            and ${isOwnedBy(wanted.owners)}`
        : selectionSql(wanted.selection, filter),
    )
    .execute();
  const all = new Map(found.map((memory) => [memory.id, memory]));
  while (found.length > 0) {
    const into = found.map(({ id }) => id);
    const merged = await memories
      .where('replaced_by', 'is not', null)
      .where(filter.isIn(sql.ref('memories.replaced_by'), into))
      .execute();
    found = merged.filter(({ id }) => !all.has(id));
    for (const memory of found) all.set(memory.id, memory);
  }
  return [...all.values()];
}

function distinctOwners(memories: readonly MemoryRef[]): EntityIds[] {
  const owners = memories.map(({ user_id, agent_id, app_id, run_id }) => {
    const ids = { user_id, agent_id, app_id, run_id };
    return [JSON.stringify(ids), ids] as const;
  });
  return [...new Map(owners).values()];
}

/** Memories of which only the history is left, where they are named or belong to the entity. */
async function findDeleted(
  { db, dialect }: DbContext,
  project: ProjectRef,
  { wanted, entity }: { wanted: ErasureChoice; entity: ErasureSubject['entity'] },
): Promise<string[]> {
  const history = db
    .selectFrom('history')
    .select('memory_id')
    .distinct()
    .where('project_key', '=', project.key);
  const named =
    'ids' in wanted
      ? history
          .where(dialect.filter.isIn(sql.ref('history.memory_id'), wanted.ids))
          .where(isOwnedBy(wanted.owners))
      : null;
  const owned = entity === null ? null : history.where(entityIdField(entity.type), '=', entity.id);
  const rows = [...((await named?.execute()) ?? []), ...((await owned?.execute()) ?? [])];
  return rows.map(({ memory_id }) => memory_id);
}

function isOwnedBy(owners: Partial<EntityIds>) {
  const parts = Object.entries(owners).map(([field, id]) => sql`${sql.ref(field)} = ${id}`);
  return parts.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(parts, sql` and `)}`;
}

async function findSources(
  { db, dialect }: DbContext,
  project: ProjectRef,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('history')
    .select([...entityIdFields, 'input'])
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('history.memory_id'), ids))
    .where('input', '<>', '[]')
    .execute();
  const messages = rows.flatMap((row) =>
    fromJson<Message[]>(row.input).map(({ content }) => sourceFingerprint(row, content)),
  );
  return new Set(messages);
}

async function countAll(
  at: DbContext,
  project: ProjectRef,
  subject: ErasureSubject,
): Promise<RowCounts> {
  const counts: RowCounts = {};
  for (const table of erasableTables(at)) {
    const count =
      (await countOwnRows(at, project, { table, subject })) +
      (await countMentions(at, project, { table, subject }));
    if (count > 0) counts[table.name] = count;
  }
  const { textIndex, vectorIndex } = at.dialect;
  const words = await textIndex.count(at.db, subject.positions);
  if (words > 0) counts.memory_fts = words;
  const hasVectors = await hasEmbeddingModels(at);
  const vectors = hasVectors ? await vectorIndex.count(at.db, subject.positions) : 0;
  if (vectors > 0) counts.vectors = vectors;
  const worn = hasVectors ? await vectorIndex.countWorn(at.db, project) : 0;
  if (worn > 0) counts.vector_segments = worn;
  return counts;
}

type TableSubject = { table: ErasableTable; subject: ErasureSubject };

/** The rows that go with the subject, by the column that names it. */
function ownRows({ dialect }: DbContext, { table, subject }: TableSubject) {
  const { entity } = subject;
  const named = [
    ...(table.memory === undefined
      ? []
      : [dialect.filter.isIn(sql.ref(table.memory), [...subject.ids])]),
    ...(entity !== null && table.memory !== undefined && table.owners.length > 0
      ? [sql<boolean>`${sql.ref(entityIdField(entity.type))} = ${entity.id}`]
      : []),
    ...(entity !== null && table.name === 'entities'
      ? [sql<boolean>`(type = ${entity.type} and id = ${entity.id})`]
      : []),
  ];
  return named.length === 0 ? null : sql<boolean>`(${sql.join(named, sql` or `)})`;
}

async function countOwnRows(
  at: DbContext,
  project: ProjectRef,
  { table, subject }: TableSubject,
): Promise<number> {
  const isOwn = ownRows(at, { table, subject });
  if (isOwn === null) return 0;
  const { rows } = await sql<{ total: number }>`select count(*) as total
    from ${sql.table(table.name)} where ${table.isOfProject(project)} and ${isOwn}`.execute(at.db);
  return Number(rows[0]?.total ?? 0);
}

async function eraseAll(
  at: DbContext,
  project: ProjectRef,
  subject: ErasureSubject,
): Promise<string[]> {
  const events: string[] = [];
  for (const table of erasableTables(at)) {
    // Memories, with their counters and index entries, and entities have statements of their own.
    if (table.name === 'memories' || table.name === 'entities') continue;
    const isOwn = ownRows(at, { table, subject });
    if (isOwn !== null) {
      await sql`delete from ${sql.table(table.name)}
        where ${table.isOfProject(project)} and ${isOwn}`.execute(at.db);
    }
    const touched = await eraseMentions(at, project, { table, subject });
    if (table.name === 'events') events.push(...touched);
  }
  return events;
}
