// Trains the classifier of updates, from the labelled pairs beside it, into `assets/extraction/`:
// `npm run train:classifier`. With `--check` it writes nothing, and prints how well it does on fifths
// that it was not trained with. README.md says more.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openTextEmbedder } from '../../src/app/package-tables.ts';
import { pairBuckets } from '../../src/core/extraction/classifier/pair-features.ts';
import { checkPairs } from './check.ts';
import { pairExamples, pairLabels } from './examples.ts';
import { train, writeModel } from './logistic.ts';

const { values: flags } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const embed = openTextEmbedder(() => {});
if (embed === null) throw new Error('assets/embedding cannot be read');
const pairs = pairExamples(join('tools', 'classifier', 'pairs'), embed);
const options = {
  labels: pairLabels,
  buckets: pairBuckets,
  dimension: embed('one')?.length ?? 0,
  rounds: 4,
  rate: 0.3,
  start: 0.05,
  denseRate: 0.5,
};
if (flags.check) process.stdout.write(`${checkPairs(pairs, options)}\n`);
else writeModel(join('assets', 'extraction', 'pairs.bin'), train(pairs, options));
process.stdout.write(`${pairs.length} pairs\n`);
