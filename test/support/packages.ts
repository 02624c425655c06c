import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withLock } from '../../scripts/lock.mjs';
import { runNpm } from '../../scripts/ready.mjs';

/** Enough time for the first test that needs packages: later ones find them installed. */
export const installTimeoutMs = 300_000;

const files = ['package.json', 'package-lock.json', '.npmrc'];

type Packages = {
  /** The folder with the package.json and lockfile to install. */
  source: string;
  /** Where to install, so that the project's own installation stays small. */
  target: string;
  /** Additional flags of npm. */
  flags?: readonly string[];
};

/** Installs packages if needed. Safe to call from several processes at once. */
export async function installPackages({ source, target, flags = [] }: Packages): Promise<void> {
  const [from, to] = [resolve(source), resolve(target)];
  // npm writes it last, so it exists only after a complete installation.
  const finished = join(to, 'node_modules/.package-lock.json');
  const isInstalled = () =>
    existsSync(finished) && files.every((file) => isSame(join(from, file), join(to, file)));

  if (isInstalled()) return;
  mkdirSync(to, { recursive: true });
  await withLock(to, () => {
    if (isInstalled()) return;
    rmSync(finished, { force: true });
    for (const file of files) cpSync(join(from, file), join(to, file));
    runNpm(['ci', '--prefix', to, '--prefer-offline', '--loglevel=error', ...flags]);
  });
}

function isSame(file: string, copy: string): boolean {
  return existsSync(copy) && readFileSync(file).equals(readFileSync(copy));
}
