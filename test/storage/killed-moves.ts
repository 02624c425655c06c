import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import type { StorePlace } from '../../src/storage/move/move.ts';

/**
 * Moves a store by processes of which each but the last is killed, `-9`, a few batches further on;
 * answers how many were.
 */
export async function moveKilled(from: StorePlace, to: StorePlace): Promise<number> {
  // Inside the checkout, so that its packages are found from there.
  const program = fileURLToPath(
    new URL(`../../.build/move-child-${process.pid}.mjs`, import.meta.url),
  );
  onTestFinished(() => rmSync(program, { force: true }));
  await build({
    entryPoints: [fileURLToPath(new URL('./move-child.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  for (let killed = 0; ; killed += 1) {
    const args = [program, JSON.stringify(from), JSON.stringify(to), String(killed * 5 + 1)];
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
