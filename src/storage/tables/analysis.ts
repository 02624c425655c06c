import type {
  IndexTerms,
  ProjectRef,
  StoredMemory,
  TermRefreshTable,
} from '../../core/ports/index.ts';
import type { At } from './at.ts';
import { memoryColumns, toMemory } from './memory-row.ts';
import { updateTerms } from './memory-writes.ts';
import { readMeta } from './meta.ts';

export function createAnalysisTable(at: At): TermRefreshTable {
  return {
    listOutdated: (limit) => findOutdated(at, limit),
    updateTerms: (project, memory, terms) => putTerms(at, project, { memory, terms }),
    markCurrent: (position) => settle(at, position),
  };
}

/** Up to which position memories have been looked at; there is none when all have been. */
const key = 'analyzed_to';

async function findOutdated({ db }: At, limit: number) {
  const position = await readMeta(db, key);
  if (position === null) return null;
  const rows = await db
    .selectFrom('memories')
    .innerJoin('projects', 'projects.key', 'memories.project_key')
    .select(memoryColumns.map((column) => `memories.${column}` as const))
    .select(['memories.terms', 'memories.speaker_terms'])
    .select(['projects.key', 'projects.org_id', 'projects.project_id'])
    .where('memories.position', '>', Number(position))
    .orderBy('memories.position')
    .limit(limit)
    .execute();
  return rows.map(({ key, org_id, project_id, terms, speaker_terms, ...memory }) => ({
    project: { key, org_id, project_id },
    memory: toMemory(memory),
    terms: { terms, speaker_terms },
  }));
}

async function putTerms(
  at: At,
  project: ProjectRef,
  { memory, terms }: { memory: StoredMemory; terms: IndexTerms },
): Promise<void> {
  await at.db.updateTable('memories').set(terms).where('position', '=', memory.position).execute();
  await updateTerms(at, project, { ...memory, ...terms });
}

async function settle({ db }: At, position: number | null): Promise<void> {
  if (position === null) await db.deleteFrom('meta').where('key', '=', key).execute();
  else
    await db
      .updateTable('meta')
      .set({ value: `${position}` })
      .where('key', '=', key)
      .execute();
}
