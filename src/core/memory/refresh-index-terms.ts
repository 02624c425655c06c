import type { StrictOmit } from '../../contract/strict-omit.ts';
import type {
  Deps,
  IndexTerms,
  OutdatedTerms,
  Store,
  StoredMemory,
  Tables,
} from '../ports/index.ts';
import { yieldToWriters } from '../queue/pause.ts';
import { fewAtOnce } from './few-at-once.ts';
import { makeIndexTerms } from './index-terms.ts';

/** How many to read; a transaction takes as many of them as hold up nobody. */
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
    const outdated = await store.analysis.listOutdated(memoriesAtOnce);
    if (outdated === null) break;
    if (outdated.length === 0)
      await store.transaction(({ analysis }) => analysis.markCurrent(null));
    for (const few of fewAtOnce(outdated.map(({ memory, ...rest }) => ({ ...memory, ...rest })))) {
      if (signal?.aborted) break;
      const renewals = await makeTerms(store, few);
      renewed += await store.transaction((tables) => storeTerms(tables, renewals));
      await yieldToWriters();
    }
  }
  if (renewed > 0) log('info', 'index terms updated', { renewed });
}

type Outdated = StoredMemory & StrictOmit<OutdatedTerms, 'memory'>;
type Renewed = Outdated & { newTerms: IndexTerms; others: readonly string[] };

/** Before the transaction, so that no writer waits for it. */
async function makeTerms(
  { languages }: Pick<Store, 'languages'>,
  outdated: readonly Outdated[],
): Promise<Renewed[]> {
  const languagesByProject = new Map<number, readonly string[]>();
  const all: Renewed[] = [];
  for (const one of outdated) {
    const listed = languagesByProject.get(one.project.key) ?? (await languages.list(one.project));
    const { terms: newTerms, others } = await makeIndexTerms(one, listed);
    languagesByProject.set(one.project.key, [...listed, ...others]);
    all.push({ ...one, newTerms, others });
  }
  return all;
}

async function storeTerms(
  { analysis, languages }: Tables,
  all: readonly Renewed[],
): Promise<number> {
  let renewed = 0;
  for (const memory of all) {
    const { project, terms: old, newTerms, others } = memory;
    if (others.length > 0) await languages.add(project, others);
    if (newTerms.terms === old.terms && newTerms.speaker_terms === old.speaker_terms) continue;
    if (await analysis.updateTerms(project, memory, newTerms)) renewed += 1;
  }
  await analysis.markCurrent(all.at(-1)?.position ?? null);
  return renewed;
}
