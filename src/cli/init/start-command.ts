import { realpathSync } from 'node:fs';
import { basename, relative } from 'node:path';

/** A program and its arguments, as clients start it. */
export type StartCommand = { command: string; args: string[] };

/** How a client starts this very program; npx keeps its copies in a cache that it may clear. */
export function startCommand(): StartCommand {
  const script = realpathSync(process.argv[1] ?? '.');
  if (/[\\/]_npx[\\/]/.test(script)) return npxCommand(process.platform);
  return { command: process.execPath, args: [script] };
}

/** What people type in the working folder to run this very program. */
export function typedCommand(): string {
  const script = process.argv[1] ?? '.';
  if (/[\\/](?:_npx|\.bin)[\\/]/.test(script)) return 'npx mneme';
  // Installed for all folders: a link of that name, or on Windows the package itself.
  const isInstalled = basename(script) === 'mneme' || /[\\/]node_modules[\\/]/.test(script);
  if (isInstalled) return 'mneme';
  const near = relative('.', script);
  const path = near.startsWith('..') ? script : near;
  return `node ${/\s/.test(path) ? JSON.stringify(path) : path}`;
}

/** How a client starts it from the registry. On Windows npx is a script, which only cmd starts. */
export function npxCommand(platform: NodeJS.Platform): StartCommand {
  const args = ['npx', '-y', 'mneme'];
  if (platform === 'win32') return { command: 'cmd', args: ['/c', ...args] };
  return { command: 'npx', args: args.slice(1) };
}
