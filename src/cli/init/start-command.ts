import { realpathSync } from 'node:fs';
import { basename, relative } from 'node:path';

/** A program and its arguments, as clients start it. */
export type StartCommand = { command: string; args: string[] };

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

/** How a client starts it from the registry. On Windows npx is a script that needs cmd. */
export function npxCommand(platform: NodeJS.Platform): StartCommand {
  const args = ['npx', '-y', 'mneme'];
  if (platform === 'win32') return { command: 'cmd', args: ['/c', ...args] };
  return { command: 'npx', args: args.slice(1) };
}
