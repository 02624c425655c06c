import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { revisionFolder } from './model-config-files.ts';

/** A file of a model on the hub; some models lack those that are not required. */
export type ModelFile = { file: string; required: boolean };

/** How the hub names the weights of each number type. */
const weightsSuffixes: Readonly<Record<string, string>> = { fp32: '', q8: '_quantized' };

/** The files that a model of that number type is loaded from. */
export function filesOfModel(dtype: string): ModelFile[] {
  const weights = `onnx/model${weightsSuffixes[dtype] ?? `_${dtype}`}.onnx`;
  return [
    ...['config.json', 'tokenizer.json', weights].map((file) => ({ file, required: true })),
    ...['tokenizer_config.json', '1_Pooling/config.json', 'config_sentence_transformers.json'].map(
      (file) => ({ file, required: false }),
    ),
  ];
}

type FetchedModel = { model: string; revision: string };

/** The folder in which the runtime finds the downloaded files of a model. */
export function downloadFolder(models_dir: string, { model, revision }: FetchedModel): string {
  return revisionFolder({ isFolder: false, revision }, join(models_dir, 'hub', model));
}

/** Whether everything that loading needs has been downloaded. */
export function isDownloaded(folder: string, dtype: string): boolean {
  return filesOfModel(dtype).every(({ file, required }) => {
    return !required || existsSync(join(folder, file));
  });
}
