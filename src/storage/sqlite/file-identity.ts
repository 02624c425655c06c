import { statSync } from 'node:fs';
import { sqliteUnavailable } from './errors.ts';

/** The file that was opened, even if its path names another one later. */
export type FileIdentity = {
  /** True if the path now names another file, or none: writes would be lost. */
  isReplaced(): boolean;
  /** Throws `unavailable` if the file was replaced; checks at intervals only. */
  check(): void;
};

/** Must be called right after the file was opened. */
export function createFileIdentity(path: string): FileIdentity {
  const opened = readIdentity(path);
  let lookedAt = Number.NEGATIVE_INFINITY;
  const isReplaced = () => {
    const identity = readIdentity(path);
    return opened !== null && identity !== null && identity !== opened;
  };
  return {
    isReplaced,
    check: () => {
      const now = performance.now();
      if (now - lookedAt < checkIntervalMs) return;
      if (isReplaced()) throw sqliteUnavailable(path, replacedProblem);
      lookedAt = now;
    },
  };
}

const replacedProblem =
  'was removed or replaced while this server used it; nothing was written: restart the server ' +
  'to use the file that is there, or put the old one back';

const checkIntervalMs = 1_000;

/**
 * Device and inode number of the file; empty if it does not exist. Null if files cannot be told
 * apart: some file systems have no inode numbers, and the folder may be inaccessible.
 */
function readIdentity(path: string): string | null {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return '';
    return stat.ino === 0n ? null : `${stat.dev} ${stat.ino}`;
  } catch {
    return null;
  }
}
