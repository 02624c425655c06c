import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HostEnvironment } from '../../src/cli/init/environment.ts';
import { createTarget, type InitTarget } from '../../src/cli/init/target.ts';
import type { ClientName } from '../../src/client-entries/clients.ts';
import type { ServerLaunch } from '../../src/client-entries/program-entry.ts';

export const start: ServerLaunch = { command: 'npx', args: ['-y', 'mneme'], env: {} };

/** An empty home folder on a machine of some kind; gone after the test. */
export function preparedPlace(parts: Partial<HostEnvironment> = {}): HostEnvironment {
  const home = mkdtempSync(join(tmpdir(), 'mneme-init-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { platform: 'linux', home, cwd: join(home, 'project'), env: {}, ...parts };
}

/** Writes a file and the folders it is in; answers its path. */
export function prepared(place: HostEnvironment, file: string, content: string | Buffer): string {
  const path = join(place.home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

export function targetFor(
  name: ClientName,
  place: HostEnvironment,
  scope: 'user' | 'project' = 'user',
) {
  const target = createTarget(name, place, { scope, connection: start });
  if (target === null) throw new Error(`${name} has no file for ${scope}`);
  return target;
}

/** Cursor, whose file is plain JSON, with what its file holds. */
export function cursorWith(place: HostEnvironment, content: string | Buffer): InitTarget {
  prepared(place, '.cursor/mcp.json', content);
  return targetFor('cursor', place);
}
