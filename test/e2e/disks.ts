import { spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** Whether this machine lets tests mount file systems; root in most containers may not. */
export function mayMount(probe: string): boolean {
  const mounted = run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe);
  if (mounted) run('umount', probe);
  return mounted;
}

/** A disk of this size on the folder; gone after the test. */
export function mountDisk(folder: string, size: string): void {
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)) {
    throw new Error(`could not mount a disk on ${folder}`);
  }
  onTestFinished(() => {
    run('umount', '--lazy', folder);
  });
}

/** A disk can become read-only only while nobody writes to it. */
export function makeReadOnly(folder: string): void {
  if (!run('mount', '-o', 'remount,ro', folder)) throw new Error(`could not remount ${folder}`);
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
