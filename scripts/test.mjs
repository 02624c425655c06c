// `npm test`: makes the checkout ready, then runs the tests; arguments go to vitest.
import './check-node.cjs';

test();

/** Imports after the check: an older Node reads neither these modules nor `await` outside. */
async function test() {
  const [{ spawnSync }, { join }, { ready, root }] = await Promise.all([
    import('node:child_process'),
    import('node:path'),
    import('./ready.mjs'),
  ]);
  await ready();
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status === null ? 1 : status;
}
