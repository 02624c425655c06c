import { pauseForOthers } from '../jobs/pause.ts';
import type { Deps, Outdated, Tables } from '../ports.ts';
import { termsIn } from './index-terms.ts';

/** Few enough that writers hardly wait. */
const memoriesAtOnce = 100;

/**
 * Brings index terms up to date that an earlier version made, in pieces; searches find them by the
 * old ones meanwhile. Ends early when the process stops: the next one goes on.
 */
export async function reanalyze(
  { store, log }: Pick<Deps, 'store' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  let renewed = 0;
  while (!signal?.aborted) {
    // Looks before it locks: nearly always there is nothing to do.
    if ((await store.analysis.outdated(1)) === null) break;
    renewed += await store.transaction(renewSome);
    await pauseForOthers();
  }
  if (renewed > 0) log('info', 'brought the words of memories up to date', { renewed });
}

async function renewSome(tables: Tables): Promise<number> {
  const outdated = await tables.analysis.outdated(memoriesAtOnce);
  let renewed = 0;
  for (const one of outdated ?? []) if (await renew(tables, one)) renewed += 1;
  const last = outdated?.at(-1);
  if (outdated !== null) await tables.analysis.settle(last?.memory.position ?? null);
  return renewed;
}

async function renew(tables: Tables, { project, memory, terms: old }: Outdated): Promise<boolean> {
  const terms = await termsIn({ tables, project }, memory);
  if (terms.terms === old.terms && terms.speaker_terms === old.speaker_terms) return false;
  await tables.analysis.put(project, memory, terms);
  return true;
}
