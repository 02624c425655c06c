import { join } from 'node:path';
import { defaultFolders, type Platform, platforms } from '../../client-entries/paths.ts';

/** Other systems of the Unix family are like Linux. */
export function currentPlatform(): Platform {
  return platforms.find((name) => name === process.platform) ?? 'linux';
}

/** The facts about the machine that decide where clients keep their configuration. */
export type HostEnvironment = {
  platform: Platform;
  home: string;
  /** The project folder. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
};

/**
 * Resolves a path from the table of clients. It starts with `~`, with `<VARIABLE>`, or, in a
 * project, with neither.
 */
export function resolvePath(path: string, host: HostEnvironment): string {
  const [, variable, tail = ''] = /^<(\w+)>(.*)$/.exec(path) ?? [];
  if (variable !== undefined) {
    const override = host.env[variable];
    return join(override || resolvePath(defaultFolders[variable] ?? '~', host), tail);
  }
  return path.startsWith('~') ? join(host.home, path.slice(1)) : join(host.cwd, path);
}
