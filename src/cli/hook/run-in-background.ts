import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { HookEvent } from './hook-event.ts';
import { hooksFolder } from './transcript-progress.ts';

/**
 * Continues in a process that outlives this one, because clients kill a hook at the end of a
 * session after about a second. Its output goes to a log file.
 */
export async function runInBackground(
  args: readonly string[],
  { event, data_dir }: { event: HookEvent; data_dir: string },
): Promise<void> {
  const folder = hooksFolder(data_dir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const log = await open(join(folder, 'last.log'), 'w', 0o600);
  const command = [...process.execArgv, process.argv[1] ?? '', 'hook', ...args];
  const child = spawn(process.execPath, command, {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', log.fd],
  });
  await once(child, 'spawn');
  child.stdin?.on('error', () => {}); // The process ended early; its log says why.
  await new Promise<void>((resolve) => child.stdin?.end(JSON.stringify(event), () => resolve()));
  child.unref();
  await log.close();
}
