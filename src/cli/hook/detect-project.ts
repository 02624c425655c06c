import { execFile } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Git answers at once or not at all: it may be missing, or wait for a slow disk. */
const gitTimeoutMs = 2000;

const nameMaxChars = 100;

/**
 * What the memories of a project have in common, in their metadata: where its repository came from,
 * the same in every copy of it, else the name of its folder.
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
  /^[a-z+]+:\/\/(?:[^@/]*@)?([\w-]+(?:\.[\w-]+)+|localhost)(?::\d+)?\/+(.+?)(?:\.git)?\/*$/i;

/** A host that has a dot: `C:` is none, nor is a name that only this machine knows. */
const scpPattern = /^(?:[^@/]*@)?([\w-]+(?:\.[\w-]+)+):\/*(.+?)(?:\.git)?\/*$/i;

async function git(cwd: string, ...args: string[]): Promise<string | null> {
  try {
    const options = { cwd, timeout: gitTimeoutMs, windowsHide: true, maxBuffer: 64 * 1024 };
    const { stdout } = await run('git', args, options);
    return stdout.trim() || null;
  } catch {
    return null; // No repository, no such remote, or no git: the folder has a name.
  }
}

/** It stands in what models read: no line ends, and nothing long. */
function sanitizeName(name: string): string {
  return name.replace(/[^\p{L}\p{N} ._/@+-]/gu, '_').slice(0, nameMaxChars);
}
