// `npm start`: makes the checkout ready, then becomes the command line program. It runs in this
// process, so standard streams, signals and the exit code are the program's own.
import { pathToFileURL } from 'node:url';
import { cli, ready } from './ready.mjs';

await ready();
process.argv[1] = cli;
await import(pathToFileURL(cli).href);
