import { realpathSync } from 'node:fs';

/** A program and its arguments, as clients start it. */
export type StartCommand = { command: string; args: string[] };

/** How a client starts this very program; npx keeps its copies in a cache that it may clear. */
export function startCommand(): StartCommand {
  const script = realpathSync(process.argv[1] ?? '.');
  if (/[\\/]_npx[\\/]/.test(script)) return npxCommand(process.platform);
  return { command: process.execPath, args: [script] };
}

/** The same from the npm registry. On Windows npx is a script, which only cmd starts. */
export function npxCommand(platform: NodeJS.Platform): StartCommand {
  const args = ['npx', '-y', 'mneme'];
  if (platform === 'win32') return { command: 'cmd', args: ['/c', ...args] };
  return { command: 'npx', args: args.slice(1) };
}
