import { hasEmbedder, hasReranker } from '../../config/model-options.ts';
import type { Config } from '../../config/options.ts';
import { ApiError, reasonOf } from '../../contract/errors.ts';
import { calibrateScale } from '../../core/search/semantic/vector-scale.ts';
import { notDownloadedSuffix } from '../../providers/models/local/process-messages.ts';
import { tableReaders } from '../models/bundled-tables.ts';
import { openEmbedder, openReranker } from '../models/search-models.ts';
import { type Check, failed, ok, warning } from './check.ts';

/** How searches work; configured models are sent a small request. Downloads none. */
export async function checkModels(config: Config): Promise<Check[]> {
  return [
    hasEmbedder(config) ? await checkEmbedder(config) : checkStaticTables(config),
    ...(hasReranker(config) ? [await checkReranker(config)] : []),
  ];
}

/** Says how searches find memories where no embedding model is configured. */
function checkStaticTables({ static_embedder }: Config): Check {
  const name = 'Search';
  if (!static_embedder) return ok(name, 'by words only: static_embedder is false');
  const { english, others } = tableReaders;
  const advice = 'Install mneme again. Until then, searches match words only';
  const problem = findTableProblem(english);
  if (problem !== null) {
    const finding = `by words only: the embedding table cannot be read: ${problem}`;
    return warning(name, finding, `${advice}.`);
  }
  const otherProblem = findTableProblem(others);
  if (otherProblem !== null) {
    const finding = `by words and by meaning in English; the table of other languages cannot be read: ${otherProblem}`;
    return warning(name, finding, `${advice} in other languages.`);
  }
  return ok(name, 'by words and by meaning, with the tables of the package (256 dimensions)');
}

function findTableProblem({ read }: { read(options: { verify: boolean }): unknown }) {
  try {
    read({ verify: true });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

const probeOptions = { log: () => {}, download: false };

/** Reports the dimension of the vectors and how well they separate answers from other texts. */
async function checkEmbedder(config: Config): Promise<Check> {
  const name = 'Embedding model';
  const embedder = openEmbedder(config, probeOptions);
  if (embedder === null) return ok(name, 'none');
  try {
    const { dimension, scale } = await calibrateScale(embedder);
    const trust = Math.round(scale.trust * 100);
    const finding = `${embedder.name} answers: ${dimension} dimensions, reliability ${trust}%`;
    if (trust >= trustMinPercent) return ok(name, finding);
    const advice = 'It barely separates answers from unrelated texts; choose a retrieval model.';
    return warning(name, finding, advice);
  } catch (error) {
    const advice = 'Until it works, search uses keywords only and new memories are not embedded.';
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
    const finding = `answers: ${best} for an answer, ${other} for an unrelated text`;
    if (right > wrong) return ok(name, finding);
    const advice = 'It does not separate answers from unrelated texts; choose a reranking model.';
    return warning(name, finding, advice);
  } catch (error) {
    const advice = 'Until it works, searches with rerank are not reranked.';
    return modelUnavailable(error, { name, advice });
  } finally {
    await reranker.close();
  }
}

/** A search does not wait until a model is loaded, but this check does. */
function withLoadTimeout(config: Config): Config {
  return config.local_reranker === null ? config : { ...config, reranker_timeout_ms: 60_000 };
}

function modelUnavailable(
  error: unknown,
  { name, advice }: { name: string; advice: string },
): Check {
  const finding = error instanceof ApiError ? error.message : String(error);
  if (!finding.endsWith(notDownloadedSuffix)) return failed(name, finding, advice);
  const download = 'It is downloaded on first use; run mneme reindex to download it now.';
  return warning(name, finding, download);
}
