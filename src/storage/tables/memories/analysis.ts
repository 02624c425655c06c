import type {
  IndexTerms,
  ProjectRef,
  StoredMemory,
  TermRefreshTable,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { indexTermsVersion, metaKeys } from '../../sql/schema/meta-keys.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { readMeta, writeMeta } from '../system/meta.ts';
import { memoryColumns, toStoredMemory } from './memory-row.ts';
import { updateTerms } from './memory-writes.ts';

export const analysisStatements: StatementsOf<TermRefreshTable> = {
  listOutdated: { scope: 'queue', run: findMemoriesToAnalyze },
  updateTerms: { scope: 'project', run: replaceTerms },
  markCurrent: { scope: 'free', run: storeAnalyzedTo },
};

async function findMemoriesToAnalyze({ db }: DbContext, limit: number) {
  const isCurrent = (await readMeta(db, metaKeys.termsVersion)) === indexTermsVersion;
  const position = isCurrent ? await readMeta(db, metaKeys.analyzedUpTo) : '0';
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
    memory: toStoredMemory(memory),
    terms: { terms, speaker_terms },
  }));
}

async function replaceTerms(
  at: DbContext,
  project: ProjectRef,
  { position, hash }: StoredMemory,
  terms: IndexTerms,
): Promise<boolean> {
  const row = await at.db
    .updateTable('memories')
    .set(terms)
    .where('position', '=', position)
    .where('hash', '=', hash)
    .returning(['user_id', 'agent_id', 'app_id', 'run_id'])
    .executeTakeFirst();
  if (row === undefined) return false;
  await updateTerms(at, project, { ...row, ...terms, position });
  return true;
}

async function storeAnalyzedTo({ db }: DbContext, position: number | null): Promise<void> {
  await writeMeta(db, metaKeys.termsVersion, indexTermsVersion);
  if (position === null)
    await db.deleteFrom('meta').where('key', '=', metaKeys.analyzedUpTo).execute();
  else await writeMeta(db, metaKeys.analyzedUpTo, `${position}`);
}
