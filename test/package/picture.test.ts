import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('the picture of the README shows what the program prints', () => {
  const args = ['scripts/picture.mjs', '--check'];

  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
