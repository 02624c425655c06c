import { statSync } from 'node:fs';
import { backupStore, inspectStore, restoreStore } from '../storage/store.ts';

type DataFolder = { data_dir: string };

/** Copies the store as it is, whoever uses it; answers how many bytes the copy has. */
export async function backup({ data_dir }: DataFolder, file: string): Promise<number> {
  await backupStore({ data_dir }, file);
  return statSync(file).size;
}

export type RestoreReport = {
  memories: number;
  /** Where the store is kept that was there before; null when there was none. */
  previous_store: string | null;
};

/** Puts a copy of the backup in the place of the store. */
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
