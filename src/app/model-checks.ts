import { hasEmbedder, hasReranker } from '../config/model-options.ts';
import type { Config } from '../config/options.ts';
import { ApiError } from '../contract/errors.ts';
import { calibrateScale } from '../core/search/semantic/vector-scale.ts';
import { notHereYet } from '../providers/models/local/protocol.ts';
import { type Check, failed, ok, warning } from './check.ts';
import { openEmbedder, openReranker } from './models.ts';

/** Asks the models that are configured something. Downloads none. */
export async function checkModels(config: Config): Promise<Check[]> {
  return [
    ...(hasEmbedder(config) ? [await checkEmbedder(config)] : []),
    ...(hasReranker(config) ? [await checkReranker(config)] : []),
  ];
}

const looking = { log: () => {}, download: false };

/** Tells what the model's vectors are like. */
async function checkEmbedder(config: Config): Promise<Check> {
  const name = 'Embedding model';
  const embedder = openEmbedder(config, looking);
  if (embedder === null) return ok(name, 'none');
  try {
    const { dimension, scale } = await calibrateScale(embedder);
    const trust = Math.round(scale.trust * 100);
    const found = `${embedder.name} answers: ${dimension} dimensions, trusted to ${trust}%`;
    if (trust >= trustWanted) return ok(name, found);
    const advice = 'It hardly tells answers from other texts; choose a model made for retrieval.';
    return warning(name, found, advice);
  } catch (error) {
    const advice = 'Searches go by words only, and memories wait, until it answers.';
    return absent(error, { name, advice });
  } finally {
    await embedder.close();
  }
}

const trustWanted = 50;

/** One of them answers the question. */
const question = 'Which city does she live in?';
const texts = ['Maria moved to Lisbon last spring.', 'Our old dog sleeps next to the two cats.'];

async function checkReranker(config: Config): Promise<Check> {
  const name = 'Reranking model';
  const reranker = openReranker(withTimeToLoad(config), looking);
  if (reranker === null) return ok(name, 'none');
  try {
    const [right = 0, wrong = 0] = await reranker.rerank(question, texts, {});
    const [best, other] = [right.toFixed(2), wrong.toFixed(2)];
    const found = `answers: ${best} for an answer, ${other} for another text`;
    if (right > wrong) return ok(name, found);
    const advice = 'It does not tell answers from other texts; choose a model made for reranking.';
    return warning(name, found, advice);
  } catch (error) {
    const advice = 'A search with rerank is ranked without it until it answers.';
    return absent(error, { name, advice });
  } finally {
    await reranker.close();
  }
}

/** A search does not wait for a model to be loaded; whoever looks whether it can be does. */
function withTimeToLoad(config: Config): Config {
  return config.local_reranker === null ? config : { ...config, reranker_timeout_ms: 60_000 };
}

function absent(error: unknown, { name, advice }: { name: string; advice: string }): Check {
  const found = error instanceof ApiError ? error.message : String(error);
  if (!found.endsWith(notHereYet)) return failed(name, found, advice);
  const download = 'It is downloaded when it is first used; mneme reindex does it now.';
  return warning(name, found, download);
}
