import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { conventionsOfName } from './embedding-conventions.ts';
import type { ModelSettings } from './process-messages.ts';

/**
 * The name of a model's vectors. It changes with everything that changes them: settings, revision,
 * or the files of a folder.
 */
export function localVectorName(settings: ModelSettings): string {
  const { model, isFolder, revision, dtype, pooling, prefixes, dimensions } = settings;
  const used = [revision, dtype, pooling, prefixes, dimensions, conventionsOfName(model)];
  const hash = createHash('sha256').update(JSON.stringify(used));
  if (isFolder) for (const sample of sampleFiles(model)) hash.update(sample);
  const title = isFolder ? basename(model) : model;
  return `local:${title}#${hash.digest('hex').slice(0, 8)}`;
}

const sampleBytes = 16 * 1024;
const samplesPerFile = 32;

/**
 * Samples the weights: reading all takes seconds, and different weights differ nearly everywhere.
 */
function* sampleFiles(folder: string): Generator<string | Uint8Array> {
  for (const file of modelFiles(folder)) {
    const path = join(folder, file);
    const { size } = statSync(path);
    yield `${file.replaceAll('\\', '/')} ${size}`;
    const opened = openSync(path, 'r');
    try {
      for (let part = 0; part < samplesPerFile; part += 1) {
        const sample = new Uint8Array(Math.min(sampleBytes, size));
        const start = Math.floor((part * (size - sample.length)) / (samplesPerFile - 1));
        yield sample.subarray(0, readSync(opened, sample, 0, sample.length, start));
      }
    } finally {
      closeSync(opened);
    }
  }
}

/** Sorted; empty if the folder does not exist, which loading reports. */
function modelFiles(folder: string): string[] {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const own = files.filter((file) => /\.(json|onnx\w*|model)$/.test(file));
    return own.filter((file) => statSync(join(folder, file)).isFile()).sort();
  } catch {
    return [];
  }
}
