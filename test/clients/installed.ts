import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from '../support/packages.ts';

export { installTimeoutMs } from '../support/packages.ts';

const target = '.build/clients';

/** Installs the published clients where that is due. */
export function installClients(): Promise<void> {
  return installPackages({ source: 'test/clients/packages', target });
}

/** A file of an installed package. */
export function clientFile(path: string): string {
  return join(resolve(target), 'node_modules', path);
}

/** A module of an installed package; the caller knows what it exports. */
export async function importClient<T>(path: string): Promise<T> {
  return import(pathToFileURL(clientFile(path)).href);
}

/** Runs the text of a program in this process, as a file beside the packages that it imports. */
export async function runProgram(text: string): Promise<void> {
  const folder = mkdtempSync(clientFile('program-'));
  try {
    writeFileSync(join(folder, 'program.mjs'), text);
    await importClient(join(basename(folder), 'program.mjs'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
