import { homedir, userInfo } from 'node:os';
import { resolve } from 'node:path';
import envPaths from 'env-paths';

/** Where programs keep a user's files on this operating system. */
export function userFolders(): { data: string; config: string; cache: string } {
  const { data, config, cache } = envPaths('mneme', { suffix: '' });
  // With an empty HOME the paths are relative to the working folder, which can change.
  const home = homeFolder();
  return {
    data: resolve(home, data),
    config: resolve(home, config),
    cache: resolve(home, cache),
  };
}

/** The home folder as programs find it; with an empty HOME that of the account. */
export function currentHome(): string {
  return homedir() || homeFolder();
}

/** Users without a name, as in some containers, have no entry to read it from. */
function homeFolder(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homedir();
  }
}
