import type { Memory } from '../../contract/schemas/memory.ts';
import { client } from '../parts/session.ts';

export type MemoryPast = Awaited<ReturnType<typeof readPast>>;
export type PastEntry = MemoryPast['entries'][number];

/**
 * The changes of a memory, newest first, each with when the store began to hold what it made, if
 * that version is kept.
 */
export async function readPast(memory_id: string) {
  const [{ results: changes }, { results: versions }] = await Promise.all([
    client.getHistory({ memory_id }),
    client.getVersions({ memory_id }),
  ]);
  const writes = changes.filter(({ event }) => event !== 'DELETE');
  // Versions go before changes do, so the newest of both belong together.
  const surplus = versions.length - writes.length;
  const entries = changes.map((change) => {
    const version = versions[writes.indexOf(change) + surplus];
    const isKept = surplus <= 0 && version?.memory === change.new_memory;
    return { change, recorded_from: isKept ? version.recorded_from : null };
  });
  const isDeleted = changes.at(-1)?.event === 'DELETE';
  return { entries: entries.toReversed(), isDeleted };
}

/** A version to go back to: as the store held it, or only its text. */
export type PastVersion = { memory_id: string; text: string; recorded_from: string | null };

/** What going back would change; nothing is changed yet. */
export async function previewRestore({ memory_id, recorded_from: as_of }: PastVersion) {
  if (as_of === null) return null;
  return client.undoChanges({ memory_id, as_of, dry_run: true, force: true });
}

/** With its version, all of it comes back, also after a deletion; otherwise the text alone. */
export async function restoreVersion(version: PastVersion): Promise<Memory> {
  const { memory_id, text, recorded_from: as_of } = version;
  if (as_of === null) await client.updateMemory({ memory_id, text });
  else await client.undoChanges({ memory_id, as_of, force: true });
  return client.getMemory({ memory_id });
}
