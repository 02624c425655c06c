// Trains the classifiers of extraction, from the labelled texts beside it, into `assets/extraction/`:
// `npm run train:classifier`. With `--check` it writes nothing, and prints how well they do on fifths
// that they were not trained with. README.md says more.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openTextEmbedder } from '../../src/app/models/bundled-tables.ts';
import { forgetBuckets } from '../../src/core/extraction/classifier/forget-features.ts';
import { sentenceBuckets } from '../../src/core/extraction/classifier/sentence-features.ts';
import { orderBuckets } from '../../src/core/safety/order-features.ts';
import { checkForgetting, checkOrders, checkSentences } from './check.ts';
import { forgetExamples, forgetLabels } from './forget-examples.ts';
import { train, writeModel } from './logistic.ts';
import { orderExamples, orderLabels, trainOrders } from './order-examples.ts';
import { readOrderTexts } from './order-texts.ts';
import { sentenceExamples, sentenceLabels } from './sentence-examples.ts';

const { values: flags } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const embed = openTextEmbedder(() => {});
if (embed === null) throw new Error('assets/embedding cannot be read');
const dimension = embed('one')?.length ?? 0;
const sentences = sentenceExamples(
  { tools: join('tools', 'classifier'), judged: join('test', 'extraction', 'conversations') },
  embed,
);
const sentenceTraining = {
  ...{ labels: sentenceLabels, buckets: sentenceBuckets, dimension },
  ...{ rounds: 5, rate: 1, start: 1, denseRate: 0.3 },
};
const forgetting = forgetExamples(join('tools', 'classifier'), embed);
const forgetTraining = {
  ...{ labels: forgetLabels, buckets: forgetBuckets, dimension },
  ...{ rounds: 6, rate: 1, start: 1, denseRate: 0.3 },
};
const orders = orderExamples(readOrderTexts(join('tools', 'classifier')), embed);
const orderTraining = {
  ...{ labels: orderLabels, buckets: orderBuckets, dimension },
  ...{ rounds: 5, rate: 1, start: 1, denseRate: 0.3 },
};
if (flags.check) {
  process.stdout.write(`${checkSentences(sentences, sentenceTraining)}\n`);
  process.stdout.write(`${checkForgetting(forgetting, forgetTraining)}\n`);
  process.stdout.write(`${checkOrders(orders, orderTraining)}\n`);
} else {
  writeModel(join('assets', 'extraction', 'sentences.bin'), train(sentences, sentenceTraining));
  writeModel(join('assets', 'extraction', 'forgetting.bin'), train(forgetting, forgetTraining));
  writeModel(join('assets', 'safety', 'orders.bin'), trainOrders(orders, orderTraining));
}
process.stdout.write(`${sentences.length} parts and sentences\n`);
