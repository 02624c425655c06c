// `npm test`: makes the checkout ready, then runs the tests; arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ready, root } from './ready.mjs';

await ready();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
