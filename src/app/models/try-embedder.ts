import type { Config } from '../../config/options.ts';
import { calibrateScale } from '../../core/search/semantic/vector-scale.ts';
import type { Log } from '../../log.ts';
import { openEmbedder } from './search-models.ts';

/** Loads the configured embedding model and embeds a few texts. Throws if it can't; no download. */
export async function tryEmbedder(config: Config, log: Log): Promise<void> {
  const embedder = openEmbedder(config, { log, download: false });
  if (embedder === null) return;
  try {
    await calibrateScale(embedder);
  } finally {
    await embedder.close();
  }
}
