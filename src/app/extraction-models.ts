import type { ExtractionModels } from '../core/ports/index.ts';
import type { Log } from '../log.ts';
import { readLinearModel } from '../providers/models/linear/linear-model-file.ts';
import { packageFile } from './package-files.ts';
import { openTextEmbedder } from './package-tables.ts';

/**
 * What extraction by rules has learned; without the embedding table it knows words alone. Null, and
 * said in the log, if a file of it cannot be read: then rules alone decide.
 */
export function openExtractionModels(log: Log): ExtractionModels | null {
  try {
    return {
      pairs: readLinearModel(packageFile('extraction', 'pairs.bin')),
      sentences: readLinearModel(packageFile('extraction', 'sentences.bin')),
      forgetting: readLinearModel(packageFile('extraction', 'forgetting.bin')),
      embed: openTextEmbedder(log) ?? (() => null),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log('warn', 'the classifiers of extraction cannot be read: rules alone decide', {
      error: reason,
    });
    return null;
  }
}
