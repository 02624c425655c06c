// What `.ci/run` does once the machine has a browser. Plain Node, because a fresh clone has nothing
// else; an older one is told here.
import './check-node.cjs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const { runStages } = await import('./ci/run-stages.mjs');
const { stages } = await import('./ci/stages.mjs');

process.exitCode = await runStages(stages, dirname(dirname(fileURLToPath(import.meta.url))));
