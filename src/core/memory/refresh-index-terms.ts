import type { Deps, OutdatedTerms, Tables } from '../ports/index.ts';
import { yieldToWriters } from '../queue/pause.ts';
import { indexTermsFor } from './index-terms.ts';

/** Small enough that writers hardly wait. */
const memoriesAtOnce = 100;

/**
 * Updates index terms of an earlier version in batches; meanwhile searches use the old ones. Stops
 * early with the process; the next one continues.
 */
export async function refreshIndexTerms(
  { store, log }: Pick<Deps, 'store' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  let renewed = 0;
  while (!signal?.aborted) {
    // Reads before it locks, because there is rarely anything to do.
    if ((await store.analysis.listOutdated(1)) === null) break;
    renewed += await store.transaction(refreshBatch);
    await yieldToWriters();
  }
  if (renewed > 0) log('info', 'updated the index terms of memories', { renewed });
}

async function refreshBatch(tables: Tables): Promise<number> {
  const outdated = await tables.analysis.listOutdated(memoriesAtOnce);
  let renewed = 0;
  for (const one of outdated ?? []) if (await refreshOne(tables, one)) renewed += 1;
  const last = outdated?.at(-1);
  if (outdated !== null) await tables.analysis.markCurrent(last?.memory.position ?? null);
  return renewed;
}

async function refreshOne(
  tables: Tables,
  { project, memory, terms: old }: OutdatedTerms,
): Promise<boolean> {
  const terms = await indexTermsFor({ tables, project }, memory);
  if (terms.terms === old.terms && terms.speaker_terms === old.speaker_terms) return false;
  await tables.analysis.updateTerms(project, memory, terms);
  return true;
}
