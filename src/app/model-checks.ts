import type { Config } from '../config/options.ts';
import { ApiError } from '../contract/errors.ts';
import { measure } from '../core/meaning/scale.ts';
import type { Check } from './checks.ts';
import { openEmbedder } from './models.ts';

/** Asks the configured embedding model something; tells what its vectors are like. */
export async function checkEmbedder(config: Config): Promise<Check> {
  const name = 'Embedding model';
  const embedder = openEmbedder(config);
  if (embedder === null) return { name, status: 'ok', found: 'none' };
  try {
    const { dimension, scale } = await measure(embedder);
    const trust = Math.round(scale.trust * 100);
    const found = `${embedder.name} answers: ${dimension} dimensions, trusted to ${trust}%`;
    if (trust >= trustWanted) return { name, status: 'ok', found };
    const advice = 'It hardly tells answers from other texts; choose a model made for retrieval.';
    return { name, status: 'warning', found, advice };
  } catch (error) {
    const found = error instanceof ApiError ? error.message : String(error);
    const advice = 'Searches go by words only, and memories wait, until it answers.';
    return { name, status: 'failed', found, advice };
  } finally {
    await embedder.close();
  }
}

const trustWanted = 50;
