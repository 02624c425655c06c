import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withLock } from '../../scripts/lock.mjs';
import { runNpm } from '../../scripts/ready.mjs';

/** What is installed, exactly: a package of its own, so that the project's install stays small. */
const source = resolve('test/clients/packages');
const folder = resolve('.build/clients');
const files = ['package.json', 'package-lock.json', '.npmrc'];
/** npm writes it last, so it is there only after an installation that came to its end. */
const finished = join(folder, 'node_modules/.package-lock.json');

/** Installs the published clients where that is due. Safe to call from several processes at once. */
export async function installClients(): Promise<void> {
  if (isInstalled()) return;
  mkdirSync(folder, { recursive: true });
  await withLock(folder, () => {
    if (isInstalled()) return;
    rmSync(finished, { force: true });
    for (const file of files) cpSync(join(source, file), join(folder, file));
    runNpm(['ci', '--prefix', folder, '--prefer-offline', '--loglevel=error']);
  });
}

/** A generous time for the first test that needs the clients: later ones find them installed. */
export const installTimeoutMs = 300_000;

/** A file of an installed package. */
export function clientFile(path: string): string {
  return join(folder, 'node_modules', path);
}

/** A module of an installed package; the caller knows what it exports. */
export async function importClient<T>(path: string): Promise<T> {
  return import(pathToFileURL(clientFile(path)).href);
}

function isInstalled(): boolean {
  return (
    existsSync(finished) &&
    files.every((file) => readFileSync(join(source, file)).equals(copyOf(file)))
  );
}

function copyOf(file: string): Buffer {
  const copy = join(folder, file);
  return existsSync(copy) ? readFileSync(copy) : Buffer.alloc(0);
}
