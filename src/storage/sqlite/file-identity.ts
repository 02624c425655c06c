import { statSync } from 'node:fs';
import { sqliteUnavailable } from './errors.ts';

/** The file that was opened, as against what its path names later. */
export type FileIdentity = {
  /** True when the path names another file now, or none: nobody would find what is written. */
  isReplaced(): boolean;
  /** Throws `unavailable` when it is; looks once in a while only. */
  check(): void;
};

/** To be called right after the file was opened. */
export function createFileIdentity(path: string): FileIdentity {
  const opened = readIdentity(path);
  let lookedAt = Number.NEGATIVE_INFINITY;
  const isReplaced = () => {
    const found = readIdentity(path);
    return opened !== null && found !== null && found !== opened;
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
 * Device and number of the file; empty when there is none. Null where nothing tells files apart:
 * some file systems number none, and a folder may be closed to us.
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
