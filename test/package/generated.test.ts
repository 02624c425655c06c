import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('generated documents and manifests say what contract and options say', () => {
  const args = ['scripts/run-ts.mjs', 'scripts/generate.ts', '--check'];

  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
