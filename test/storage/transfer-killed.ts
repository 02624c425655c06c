import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { StoreLocation } from '../../src/storage/transfer/transfer.ts';
import { buildChild } from '../support/child-program.ts';

/**
 * Moves a store by processes of which each but the last is killed, `-9`, a few batches further on;
 * answers how many were.
 */
export async function moveKilled(from: StoreLocation, to: StoreLocation): Promise<number> {
  const program = await buildChild(new URL('./transfer-child.ts', import.meta.url));
  onTestFinished(program.remove);
  for (let killed = 0; ; killed += 1) {
    const args = [program.path, JSON.stringify(from), JSON.stringify(to), String(killed * 5 + 1)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    if (stdout === 'moved') return killed;
    if (signal !== 'SIGKILL') throw new Error(`the move ended with ${code}: ${stderr}`);
  }
}
