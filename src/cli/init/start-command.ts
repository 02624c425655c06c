import { realpathSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { npxCommand, type StartCommand } from '../../client-entries/program-entry.ts';

/** How a client starts this program; npx keeps it in a cache that may be cleared. */
export function startCommand(): StartCommand {
  const script = realpathSync(process.argv[1] ?? '.');
  if (/[\\/]_npx[\\/]/.test(script)) return npxCommand(process.platform);
  return { command: process.execPath, args: [script] };
}

/** The command to run this program from the working folder. */
export function typedCommand(): string {
  const script = process.argv[1] ?? '.';
  if (/[\\/](?:_npx|\.bin)[\\/]/.test(script)) return 'npx mneme';
  // Installed globally: a link of that name, or on Windows the package itself.
  const isInstalled = basename(script) === 'mneme' || /[\\/]node_modules[\\/]/.test(script);
  if (isInstalled) return 'mneme';
  const nearby = relative('.', script);
  const path = nearby.startsWith('..') ? script : nearby;
  return `node ${/\s/.test(path) ? JSON.stringify(path) : path}`;
}
