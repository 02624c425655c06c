import { homedir, userInfo } from 'node:os';
import { resolve } from 'node:path';
import envPaths from 'env-paths';

/** Where this operating system wants programs to keep what is a user's. */
export function userFolders(): { data: string; config: string; cache: string } {
  const { data, config, cache } = envPaths('mneme', { suffix: '' });
  // With an empty HOME the paths come out relative to the working folder, another one each time.
  const home = homeFolder();
  return {
    data: resolve(home, data),
    config: resolve(home, config),
    cache: resolve(home, cache),
  };
}

/** Users without a name, as in some containers, have no entry that says it. */
function homeFolder(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homedir();
  }
}
