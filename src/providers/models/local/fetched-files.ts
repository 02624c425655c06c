import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const FetchedFiles = z.record(z.string(), z.string());

/** The SHA-256 of each file at its first fetch, by `MODEL@REVISION/FILE`. */
export type FetchedFiles = Readonly<Record<string, string>>;

const recordName = 'fetched-files.json';

/** Empty if nothing was fetched yet, or the record is damaged. */
export async function readFetchedFiles(models_dir: string): Promise<FetchedFiles> {
  try {
    const text = await readFile(join(models_dir, recordName), 'utf8');
    return FetchedFiles.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

export async function writeFetchedFiles(models_dir: string, files: FetchedFiles): Promise<void> {
  const path = join(models_dir, recordName);
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(files, null, 2)}\n`);
  await rename(draft, path);
}
