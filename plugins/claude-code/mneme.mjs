// Starts mneme for the hooks and the server of this plugin, the fastest way there is: from the
// clone that the plugin lies in, as it is installed on the PATH, else by npx in the plugin's version.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const here = import.meta.dirname;
const script = installed();

if (script === null) startByNpx();
else await startHere(script);

/** The program's own file, where it is installed; npx would take a second longer each time. */
function installed() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [
    join(here, '../../dist/cli.js'),
    ...folders.flatMap((folder) => [
      join(folder, 'mneme'),
      join(folder, 'node_modules/mneme/dist/cli.js'),
    ]),
  ];
  const files = candidates.filter((file) => existsSync(file)).map((file) => realpathSync(file));
  return files.find((file) => /[\\/]dist[\\/]cli\.js$/.test(file)) ?? null;
}

async function startHere(/** @type {string} */ file) {
  // The program finds itself by its first argument, as when Node starts it.
  process.argv[1] = file;
  await import(pathToFileURL(file).href);
}

function startByNpx() {
  const { version } = JSON.parse(readFileSync(join(here, '.claude-plugin/plugin.json'), 'utf8'));
  const args = ['-y', `mneme@${version}`, ...process.argv.slice(2)];
  const child = spawn('npx', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    process.stderr.write(`mneme: npx could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
