import { reasonOf } from '../../contract/errors.ts';
import type { ExtractionModels, OrderModels, OrderReader } from '../../core/ports/index.ts';
import { createOrderReader } from '../../core/safety/prompt-injection.ts';
import type { Log } from '../../log.ts';
import { readLinearModel } from '../../providers/models/linear/linear-model-file.ts';
import { packageFile } from './bundled-files.ts';
import { openTextEmbedder } from './bundled-tables.ts';

/**
 * The classifiers of extraction by rules; without the embedding table they know words alone. Null,
 * with a line in the log, if one of their files cannot be read: then rules alone decide.
 */
export function openExtractionModels(log: Log): ExtractionModels | null {
  const open = () => ({
    sentences: readLinearModel(packageFile('extraction', 'sentences.bin')),
    forgetting: readLinearModel(packageFile('extraction', 'forgetting.bin')),
    embed: openTextEmbedder(log) ?? (() => null),
  });
  return openOrWarn(log, 'extraction classifiers cannot be read: only rules are used', open);
}

/**
 * Tells orders to an agent from other texts. What it has learned is read with the first text; if
 * that fails, which the log says, only marks such as those of calls of tools are recognized.
 */
export function openOrderReader(
  log: Log,
  file: string = packageFile('safety', 'orders.bin'),
): OrderReader {
  const open = (): OrderModels => ({
    orders: readLinearModel(file),
    embed: openTextEmbedder(log) ?? (() => null),
  });
  const warning = 'prompt injection classifier cannot be read: only agent markup is recognized';
  return createOrderReader(() => openOrWarn(log, warning, open));
}

function openOrWarn<Models>(log: Log, warning: string, open: () => Models): Models | null {
  try {
    return open();
  } catch (error) {
    log('warn', warning, { error: reasonOf(error) });
    return null;
  }
}
