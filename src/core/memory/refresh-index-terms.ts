import type { Deps, OutdatedTerms, Tables } from '../ports/index.ts';
import { yieldToWriters } from '../queue/pause.ts';
import { indexTermsFor } from './index-terms.ts';

/** Few enough that writers hardly wait. */
const memoriesAtOnce = 100;

/**
 * Brings index terms up to date that an earlier version made, in pieces; searches find them by the
 * old ones meanwhile. Ends early when the process stops: the next one goes on.
 */
export async function refreshIndexTerms(
  { store, log }: Pick<Deps, 'store' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  let renewed = 0;
  while (!signal?.aborted) {
    // Looks before it locks: nearly always there is nothing to do.
    if ((await store.analysis.listOutdated(1)) === null) break;
    renewed += await store.transaction(refreshBatch);
    await yieldToWriters();
  }
  if (renewed > 0) log('info', 'brought the words of memories up to date', { renewed });
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
