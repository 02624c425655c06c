import { hasEmbedder, hasReranker } from '../../config/model-options.ts';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { calibrateScale } from '../../core/search/semantic/vector-scale.ts';
import { notDownloadedSuffix } from '../../providers/models/local/process-messages.ts';
import { openEmbedder, openReranker } from '../search-models.ts';
import { type Check, failed, ok, warning } from './check.ts';

/** Sends a probe to the configured models. Downloads none. */
export async function checkModels(config: Config): Promise<Check[]> {
  return [
    ...(hasEmbedder(config) ? [await checkEmbedder(config)] : []),
    ...(hasReranker(config) ? [await checkReranker(config)] : []),
  ];
}

const probeOptions = { log: () => {}, download: false };

/** Checks the embedding model and the quality of its vectors. */
async function checkEmbedder(config: Config): Promise<Check> {
  const name = 'Embedding model';
  const embedder = openEmbedder(config, probeOptions);
  if (embedder === null) return ok(name, 'none');
  try {
    const { dimension, scale } = await calibrateScale(embedder);
    const trust = Math.round(scale.trust * 100);
    const found = `${embedder.name} responds: ${dimension} dimensions, trusted to ${trust}%`;
    if (trust >= trustMinPercent) return ok(name, found);
    const advice =
      'It hardly tells answers from unrelated texts; choose a model made for retrieval.';
    return warning(name, found, advice);
  } catch (error) {
    const advice =
      'Until it responds, search matches words only, and new memories are not embedded.';
    return modelUnavailable(error, { name, advice });
  } finally {
    await embedder.close();
  }
}

const trustMinPercent = 50;

/** The first text answers the question. */
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
    const found = `responds: ${best} for an answer, ${other} for another text`;
    if (right > wrong) return ok(name, found);
    const advice =
      'It does not tell answers from unrelated texts; choose a model made for reranking.';
    return warning(name, found, advice);
  } catch (error) {
    const advice = 'Until it responds, searches with rerank are ranked without it.';
    return modelUnavailable(error, { name, advice });
  } finally {
    await reranker.close();
  }
}

/** Unlike a search, this check waits until the model is loaded. */
function withLoadTimeout(config: Config): Config {
  return config.local_reranker === null ? config : { ...config, reranker_timeout_ms: 60_000 };
}

function modelUnavailable(
  error: unknown,
  { name, advice }: { name: string; advice: string },
): Check {
  const found = error instanceof ApiError ? error.message : String(error);
  if (!found.endsWith(notDownloadedSuffix)) return failed(name, found, advice);
  const download = 'It is downloaded on first use; mneme reindex downloads it now.';
  return warning(name, found, download);
}
