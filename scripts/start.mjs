// `npm start`: makes the checkout ready, then becomes the command line program. It runs in this
// process, so standard streams, signals and the exit code are the program's own.
import './check-node.cjs';

start();

/**
 * Imports after the version check: an older Node can parse neither these modules nor `await` here.
 */
async function start() {
  const [{ pathToFileURL }, { cli, ready }] = await Promise.all([
    import('node:url'),
    import('./ready.mjs'),
  ]);
  await ready();
  process.argv[1] = cli;
  await import(pathToFileURL(cli).href);
}
