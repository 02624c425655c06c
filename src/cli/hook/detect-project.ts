import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readRegularFile } from '../../regular-file.ts';
import { remoteName, withoutSshAlias } from './remote-name.ts';

const run = promisify(execFile);

/** Git may be missing, or wait for a slow disk. */
const gitTimeoutMs = 2000;

const nameMaxChars = 100;

/**
 * A project, by what people call it, and all keys under which its memories may be stored, the one
 * to store under first.
 */
export type DetectedProject = { name: string; keys: [string, ...string[]] };

/** The project of a folder: a repository with all its worktrees and clones, or the folder. */
export async function detectProject(cwd: string): Promise<DetectedProject> {
  return describeProject(await look(cwd));
}

function describeProject({ remotes, folders, repository }: Surroundings): DetectedProject {
  const storedKeys = repository === null ? [] : readKeptKeys(repository);
  const spellings = remotes.map((remote) => sanitizeName(remote));
  const name = spellings[0] || sanitizeName(folders[0] ?? '') || 'unnamed';
  // A name without an address is that of many folders: only what has no address is found by it.
  const local = remotes.length > 0 ? [] : [...localKeys(repository, name), ...spelled(folders)];
  const foundBy = [
    ...spellings.map((each) => each.toLowerCase()),
    ...storedKeys,
    ...spellings,
    ...local,
  ];
  const [first = name, ...others] = new Set(foundBy.filter((key) => key !== ''));
  return { name, keys: [first, ...others] };
}

/**
 * The key to store under. A repository keeps each such key in its git folder, which all worktrees
 * share and which stays when it is renamed or moved: that is how its memories are found later.
 */
export async function keepProjectKey(cwd: string): Promise<string> {
  const surroundings = await look(cwd);
  const { remotes, repository } = surroundings;
  const { name, keys } = describeProject(surroundings);
  const [key] = keys;
  if (repository === null) return key;
  const storedKeys = readKeptKeys(repository);
  const next = remotes.length > 0 || storedKeys.length > 0 ? key : newKey(name);
  if (storedKeys[0] === next) return next;
  try {
    appendFileSync(join(repository, keptKeysFile), `${next}\n`);
    return readKeptKeys(repository)[0] ?? next;
  } catch {
    return key; // The folder is read-only.
  }
}

type Surroundings = {
  /** Addresses, the most important first. */
  remotes: string[];
  /** Names of the folder, that of the main worktree first. */
  folders: string[];
  /** The git folder that all worktrees share. */
  repository: string | null;
};

async function look(cwd: string): Promise<Surroundings> {
  const [remotes, places] = await Promise.all([
    git(cwd, 'remote', '-v'),
    git(cwd, 'rev-parse', '--show-toplevel', '--git-common-dir'),
  ]);
  const [root = cwd, common] = places?.split('\n') ?? [];
  const repository = common === undefined ? null : resolve(cwd, common);
  const own = basename(resolve(root));
  const isMain = repository !== null && basename(repository) === '.git';
  const main = isMain ? basename(dirname(repository)) : own;
  return { remotes: addressesIn(remotes ?? ''), folders: [main, own], repository };
}

/** A fork has the memories of what it was forked from too; other remotes may be anything. */
function addressesIn(output: string): string[] {
  const rows = output.split('\n').map((line) => line.split(/\t| \(/));
  const urls = new Map(rows.flatMap(([name, url]) => (name && url ? [[name, url]] : [])));
  const remotes = ['origin', 'upstream'].flatMap((name) => urls.get(name) ?? []);
  const addresses = remotes.length > 0 ? remotes : [...urls.values()].slice(0, 1);
  return addresses.flatMap((url) => remoteName(withoutSshAlias(url)) ?? []);
}

/** For a repository without an address, in which no key could be kept. */
function localKeys(repository: string | null, name: string): string[] {
  if (repository === null) return [];
  return [`${name}-${createHash('sha256').update(repository).digest('hex').slice(0, 8)}`];
}

function newKey(name: string): string {
  return `${name}-${randomBytes(4).toString('hex')}`;
}

/** Names as they are stored today, and as they were before accents of both kinds met. */
function spelled(folders: readonly string[]): string[] {
  return [...folders.map(sanitizeName), ...folders.map(replaceSigns)];
}

const keptKeysFile = 'mneme-project';
const keptKeysMax = 20;

/** The newest first. */
function readKeptKeys(repository: string): string[] {
  try {
    const bytes = readRegularFile(join(repository, keptKeysFile), { bytesMax: 64 * 1024 });
    const keys = bytes.toString('utf8').split('\n').map(sanitizeName);
    return keys
      .filter((key) => key !== '')
      .reverse()
      .slice(0, keptKeysMax);
  } catch {
    return []; // Nothing was stored yet.
  }
}

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
  return replaceSigns(name.normalize('NFC'));
}

function replaceSigns(name: string): string {
  return name.replace(/[^\p{L}\p{N} ._/@+-]/gu, '_').slice(0, nameMaxChars);
}
