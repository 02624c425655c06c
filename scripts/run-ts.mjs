// Makes the checkout ready, then runs a TypeScript program of this project, such as a benchmark:
// `node scripts/run-ts.mjs test/bench/store.ts --adds 100`.
import { ready } from './ready.mjs';

await ready();
const { importTs } = await import('./import-ts.mjs');
const [source = ''] = process.argv.splice(2, 1);
await importTs(source);
