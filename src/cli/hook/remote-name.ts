import { homedir } from 'node:os';
import { join } from 'node:path';
import { readRegularFile } from '../../regular-file.ts';

/** `git@host:owner/name.git` and `https://user:key@host/owner/name` to `host/owner/name`. */
export function remoteName(url: string): string | null {
  const [, host = '', path = ''] = urlPattern.exec(url) ?? scpPattern.exec(url) ?? [];
  return host === '' ? null : `${host.toLowerCase()}/${path}`;
}

const urlPattern =
  /^[a-z+]+:\/\/(?:[^@/]*@)?([\w-]+(?:\.[\w-]+)+|localhost)(?::\d+)?\/+((?!\/).+?)(?:\.git)?\/*$/i;

/** Requires a dot in the host: `C:` is a drive, and names without a dot are local. */
const scpPattern = /^(?:[^@/]*@)?([\w-]+(?:\.[\w-]+)+):\/*((?!\/).+?)(?:\.git)?\/*$/i;

/**
 * The address with the host behind an alias of the user's ssh: people with two accounts
 * clone from `git@github-work:owner/name`.
 */
export function withoutSshAlias(url: string, readConfig = readSshConfig): string {
  const [, before = '', alias = '', after = ''] = sshPattern.exec(url) ?? [];
  if (alias === '') return url;
  const host = hostIn(readConfig(), alias) ?? servedBy(alias);
  return host === null ? url : `${before}${host}${after}`;
}

/** A name of one letter without a user is a drive. */
const sshPattern =
  /^((?:ssh|git\+ssh):\/\/(?:[^@/]*@)?|[^@/:]*@|(?=[\w.-]{2}))([\w.-]+)(:(?!\/\/).*|\/.*)$/i;

/** `github-work` and `github.com-work`, on a machine whose configuration does not say it. */
function servedBy(alias: string): string | null {
  const [, service = ''] = /^(github|gitlab|bitbucket)(?:\.com|\.org)?[-_]/i.exec(alias) ?? [];
  if (service === '') return null;
  return `${service.toLowerCase()}.${service.toLowerCase() === 'bitbucket' ? 'org' : 'com'}`;
}

/** The first `HostName` under `Host alias`. Files that it includes are not read. */
function hostIn(config: string, alias: string): string | null {
  let applies = false;
  for (const line of config.split('\n')) {
    const [, key = '', rest = ''] = /^\s*(\w+)(?:\s*=\s*|\s+)(\S.*)$/.exec(line) ?? [];
    const words = rest.trim().replaceAll('"', '').split(/\s+/);
    if (/^(?:host|match)$/i.test(key)) applies = /^host$/i.test(key) && words.includes(alias);
    else if (applies && /^hostname$/i.test(key)) return words[0]?.replace('%h', alias) ?? null;
  }
  return null;
}

const sshConfigMaxBytes = 256 * 1024;

function readSshConfig(): string {
  try {
    const file = join(homedir(), '.ssh', 'config');
    return readRegularFile(file, { bytesMax: sshConfigMaxBytes }).toString('utf8');
  } catch {
    return ''; // Most machines have none.
  }
}
