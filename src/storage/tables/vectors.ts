import { sql } from 'kysely';
import type {
  Embedded,
  Neighbour,
  Project,
  Selection,
  Unembedded,
  VectorSpace,
  VectorTable,
} from '../../core/ports.ts';
import { selectionSql } from '../filter-sql.ts';
import type { At } from './at.ts';

export function createVectorTable(at: At): VectorTable {
  return {
    ensureSpace: (name) => ensureSpace(at, name),
    claim: (space, lease) => claimSpace(at, space, lease),
    unembedded: (space, limit) => findUnembedded(at, space, limit),
    put: (space, embedded) => putVectors(at, space, embedded),
    progress: (space) => countVectors(at, space),
    nearest: (project, selection, query) => findNearest(at, project, { selection, query }),
  };
}

async function ensureSpace({ db }: At, name: string): Promise<VectorSpace> {
  await db
    .insertInto('spaces')
    .values({ name, done_to: 0, lease_owner: null, lease_until: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return db
    .selectFrom('spaces')
    .select(['key', 'name'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
}

async function claimSpace(
  { db }: At,
  { key }: VectorSpace,
  { owner, now, until }: Parameters<VectorTable['claim']>[1],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('spaces')
    .set({ lease_owner: owner, lease_until: until })
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb('lease_until', 'is', null),
        eb('lease_until', '<=', now),
        eb('lease_owner', '=', owner),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Those that changed since they were embedded come first. */
async function findUnembedded(at: At, space: VectorSpace, limit: number): Promise<Unembedded[]> {
  const wanted = await unembeddedRows(at)
    .where('position', 'in', (eb) => eb.selectFrom('vectors_wanted').select('position'))
    .limit(limit)
    .execute();
  const rest = limit - wanted.length;
  const fresh = await unembeddedRows(at)
    .where('position', '>', (eb) =>
      eb.selectFrom('spaces').select('done_to').where('key', '=', space.key),
    )
    .limit(rest)
    .execute();
  const known = new Set(wanted.map(({ position }) => position));
  return [...wanted, ...fresh.filter(({ position }) => !known.has(position))].map(
    ({ project_key, ...row }) => ({ ...row, project: { key: project_key } }),
  );
}

function unembeddedRows({ db }: At) {
  return db
    .selectFrom('memories')
    .select(['position', 'project_key', 'memory', 'hash'])
    .orderBy('position');
}

async function putVectors(
  at: At,
  space: VectorSpace,
  embedded: readonly Embedded[],
): Promise<void> {
  if (embedded.length === 0) return;
  const { db, dialect } = at;
  const positions = embedded.map(({ position }) => position);
  const isAmong = dialect.filter.isIn(sql.ref('position'), positions);
  const rows = await db
    .selectFrom('memories')
    .select(['position', 'hash'])
    .where(dialect.filter.isIn(sql.ref('memories.position'), positions))
    .execute();
  const hashes = new Map(rows.map(({ position, hash }) => [position, hash]));
  await db.deleteFrom('vectors_wanted').where(isAmong).execute();
  for (const [key, entries] of byProject(embedded, hashes)) {
    await dialect.vectors.put(db, { project: { key }, space: space.key, entries });
  }
  await db
    .updateTable('spaces')
    .set({ done_to: sql`max(done_to, ${Math.max(...positions)})` })
    .where('key', '=', space.key)
    .execute();
  const changed = embedded.filter(({ position, hash }) => (hashes.get(position) ?? hash) !== hash);
  await wantVectors(
    at,
    changed.map(({ position }) => position),
  );
}

type Entries = { position: number; vector: Float32Array }[];

/** What is to be stored: the vectors of texts that are still the same. */
function byProject(
  embedded: readonly Embedded[],
  hashes: ReadonlyMap<number, string>,
): Map<number, Entries> {
  const projects = new Map<number, Entries>();
  for (const { position, project, hash, vector } of embedded) {
    if (vector === null || hashes.get(position) !== hash) continue;
    const entries = projects.get(project.key) ?? [];
    entries.push({ position, vector });
    projects.set(project.key, entries);
  }
  return projects;
}

/** Asks again for vectors of memories, where an embedding model has passed them already. */
export async function wantVectors({ db }: At, positions: readonly number[]): Promise<void> {
  for (const position of positions) {
    await db
      .insertInto('vectors_wanted')
      .columns(['position'])
      .expression((eb) =>
        eb
          .selectFrom('spaces')
          .select(eb.lit(position).as('position'))
          .where('done_to', '>=', position)
          .limit(1),
      )
      .onConflict((conflict) => conflict.column('position').doNothing())
      .execute();
  }
}

async function countVectors(at: At, space: VectorSpace): Promise<{ done: number; total: number }> {
  const { total } = await at.db
    .selectFrom('memories')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { done: await at.dialect.vectors.count(at.db, space.key), total };
}

async function findNearest(
  { db, dialect }: At,
  project: Project,
  { selection, query }: { selection: Selection; query: Parameters<VectorTable['nearest']>[2] },
): Promise<Neighbour[]> {
  const { space, ...rest } = query;
  const where = selectionSql(selection, dialect.filter);
  return dialect.vectors.nearest(db, { ...rest, project, where, space: space.key });
}
