import { type FileHandle, open } from 'node:fs/promises';
import { errorCodeOf } from '../../contract/errors.ts';
import { loadSqlite } from './driver.ts';
import { translateSqliteError } from './errors.ts';
import { checkFile } from './file.ts';

/** How long to wait for other processes that use the file. */
const busyTimeoutMs = 10_000;

/**
 * Rewrites the file without what was deleted: the words of deleted memories in the index, free
 * pages, and the write-ahead log. Throws `unavailable` if other processes keep it from that.
 */
export async function purgeSqliteFile(path: string): Promise<void> {
  const openSqlite = await loadSqlite();
  checkFile(path, openSqlite);
  const sqlite = openSqlite(path, { timeout: busyTimeoutMs });
  try {
    sqlite.exec(`insert into memory_fts (memory_fts) values ('optimize')`);
    sqlite.exec('vacuum');
    const [log] = sqlite.prepare('pragma wal_checkpoint(truncate)').all() as [{ busy: number }];
    if (log.busy !== 0) throw Object.assign(new Error('database is locked'), { errcode: 5 });
  } catch (error) {
    throw translateSqliteError(error, path);
  } finally {
    sqlite.close();
  }
}

/** The texts that the bytes of the file and its write-ahead log still contain. */
export async function findInSqliteFile(path: string, texts: readonly string[]): Promise<string[]> {
  const needles = texts.map((text) => ({ text, bytes: Buffer.from(text) }));
  const overlap = Math.max(0, ...needles.map(({ bytes }) => bytes.length - 1));
  const remains = new Set<string>();
  for (const name of [path, `${path}-wal`]) {
    const file = await openIfThere(name);
    if (file === null) continue;
    let last = Buffer.alloc(0);
    for await (const chunk of file.createReadStream({ highWaterMark: chunkBytes })) {
      const bytes = Buffer.concat([last, chunk as Buffer]);
      for (const needle of needles) {
        if (!remains.has(needle.text) && bytes.includes(needle.bytes)) remains.add(needle.text);
      }
      last = bytes.subarray(bytes.length - Math.min(overlap, bytes.length));
    }
  }
  return [...remains];
}

/** The last process to close the store removes its write-ahead log, at any moment. */
async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

const chunkBytes = 4 * 1024 * 1024;
