import { hasEmbedder, hasReranker } from '../../config/model-options.ts';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { calibrateScale } from '../../core/search/semantic/vector-scale.ts';
import { notDownloadedSuffix } from '../../providers/models/local/process-messages.ts';
import { openEmbedder, openReranker } from '../search-models.ts';
import { type Check, failed, ok, warning } from './check.ts';

/** Asks the models that are configured something. Downloads none. */
export async function checkModels(config: Config): Promise<Check[]> {
  return [
    ...(hasEmbedder(config) ? [await checkEmbedder(config)] : []),
    ...(hasReranker(config) ? [await checkReranker(config)] : []),
  ];
}

const probeOptions = { log: () => {}, download: false };

/** Tells what the model's vectors are like. */
async function checkEmbedder(config: Config): Promise<Check> {
  const name = 'Embedding model';
  const embedder = openEmbedder(config, probeOptions);
  if (embedder === null) return ok(name, 'none');
  try {
    const { dimension, scale } = await calibrateScale(embedder);
    const trust = Math.round(scale.trust * 100);
    const found = `${embedder.name} answers: ${dimension} dimensions, trusted to ${trust}%`;
    if (trust >= trustMinPercent) return ok(name, found);
    const advice = 'It hardly tells answers from other texts; choose a model made for retrieval.';
    return warning(name, found, advice);
  } catch (error) {
    const advice = 'Searches go by words only, and memories wait, until it answers.';
    return modelUnavailable(error, { name, advice });
  } finally {
    await embedder.close();
  }
}

const trustMinPercent = 50;

/** One of them answers the question. */
const probeQuestion = 'Which city does she live in?';
const probeTexts = [
  'Maria moved to Lisbon last spring.',
  'Our old dog sleeps next to the two cats.',
];

async function checkReranker(config: Config): Promise<Check> {
  const name = 'Reranking model';
  const reranker = openReranker(withLoadTimeout(config), probeOptions);
  if (reranker === null) return ok(name, 'none');
  try {
    const [right = 0, wrong = 0] = await reranker.rerank(probeQuestion, probeTexts, {});
    const [best, other] = [right.toFixed(2), wrong.toFixed(2)];
    const found = `answers: ${best} for an answer, ${other} for another text`;
    if (right > wrong) return ok(name, found);
    const advice = 'It does not tell answers from other texts; choose a model made for reranking.';
    return warning(name, found, advice);
  } catch (error) {
    const advice = 'A search with rerank is ranked without it until it answers.';
    return modelUnavailable(error, { name, advice });
  } finally {
    await reranker.close();
  }
}

/** A search does not wait for a model to be loaded; whoever looks whether it can be does. */
function withLoadTimeout(config: Config): Config {
  return config.local_reranker === null ? config : { ...config, reranker_timeout_ms: 60_000 };
}

function modelUnavailable(
  error: unknown,
  { name, advice }: { name: string; advice: string },
): Check {
  const found = error instanceof ApiError ? error.message : String(error);
  if (!found.endsWith(notDownloadedSuffix)) return failed(name, found, advice);
  const download = 'It is downloaded when it is first used; mneme reindex does it now.';
  return warning(name, found, download);
}
