import { execFile } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Git may be missing, or wait for a slow disk. */
const gitTimeoutMs = 2000;

const nameMaxChars = 100;

/**
 * The name under which memories of a project are stored: the address of its repository, which is
 * the same in every clone, else the name of its folder.
 */
export async function detectProject(cwd: string): Promise<string> {
  const [origin, root] = await Promise.all([
    git(cwd, 'config', '--get', 'remote.origin.url'),
    git(cwd, 'rev-parse', '--show-toplevel'),
  ]);
  const remote = origin === null ? null : remoteName(origin);
  return sanitizeName(remote ?? basename(resolve(root ?? cwd))) || 'unnamed';
}

/** `git@host:owner/name.git` and `https://user:key@host/owner/name` to `host/owner/name`. */
export function remoteName(url: string): string | null {
  const [, host = '', path = ''] = urlPattern.exec(url) ?? scpPattern.exec(url) ?? [];
  return host === '' ? null : `${host.toLowerCase()}/${path}`;
}

const urlPattern =
  /^[a-z+]+:\/\/(?:[^@/]*@)?([\w-]+(?:\.[\w-]+)+|localhost)(?::\d+)?\/+((?!\/).+?)(?:\.git)?\/*$/i;

/** Requires a dot in the host: `C:` is a drive, and names without a dot are local. */
const scpPattern = /^(?:[^@/]*@)?([\w-]+(?:\.[\w-]+)+):\/*((?!\/).+?)(?:\.git)?\/*$/i;

async function git(cwd: string, ...args: string[]): Promise<string | null> {
  try {
    const options = { cwd, timeout: gitTimeoutMs, windowsHide: true, maxBuffer: 64 * 1024 };
    const { stdout } = await run('git', args, options);
    return stdout.trim() || null;
  } catch {
    return null; // No repository, no remote, or no git: use the name of the folder.
  }
}

/** Models read the name: it has no line ends, and is short. */
function sanitizeName(name: string): string {
  return name.replace(/[^\p{L}\p{N} ._/@+-]/gu, '_').slice(0, nameMaxChars);
}
