// `npm run bench:postgres`: searches and adds on PostgreSQL, compared with plain SQL and with a
// file.
// `npm run bench:growth`: many projects. `scale` measures large stores on PostgreSQL, and
// `dashboard` its pages.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startPostgres } from './postgres-server.mjs';
import { root } from './ready.mjs';

const [name = '', ...flags] = process.argv.slice(2);
const settings = [
  'fsync=on',
  'shared_buffers=1GB',
  'maintenance_work_mem=512MB',
  'max_wal_size=4GB',
];
const server = await startPostgres({
  settings,
  onMissing: (why) => console.error(`SKIPPED: no PostgreSQL to measure: ${why}`),
});
if (server !== null) {
  try {
    console.log(`# ${server.about}`);
    process.exitCode = await bench({ BENCH_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

/** @returns {Promise<number>} */
function bench(/** @type {NodeJS.ProcessEnv} */ env) {
  const program = [join(root, 'scripts/run-ts.mjs'), `test/bench/${name}.ts`];
  const args = [...program, ...flags];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  process.once('exit', () => child.kill());
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
