import { statSync } from 'node:fs';
import { backupStore, inspectStore, restoreStore } from '../../storage/store.ts';

type DataFolder = { data_dir: string };

/** Copies the store, even while it is in use; returns the size of the copy in bytes. */
export async function backup({ data_dir }: DataFolder, file: string): Promise<number> {
  await backupStore({ data_dir }, file);
  return statSync(file).size;
}

export type RestoreReport = {
  memories: number;
  /** The path of the previous store; null if there was none. */
  previous_store: string | null;
};

/** Replaces the store with a copy of the backup. */
export async function restore(
  { data_dir }: DataFolder,
  options: { file: string; replace: boolean },
): Promise<RestoreReport> {
  const previous_store = await restoreStore(
    { data_dir },
    { ...options, now: new Date().toISOString() },
  );
  const report = await inspectStore({ data_dir });
  return { memories: report?.memories ?? 0, previous_store };
}
