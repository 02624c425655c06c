import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forgetFeatures } from '../../src/core/extraction/classifier/forget-features.ts';
import type { Example } from './logistic.ts';

export const forgetLabels = ['other', 'forget'] as const;

type LabelledRequest = Example & { kind: string };

/** Sentences of all folders, by whether they ask to forget; `kind` is their language. */
export function forgetExamples(
  tools: string,
  embed: (text: string) => Float32Array | null,
): LabelledRequest[] {
  const folders = ['forgetting', 'sentences', 'turns', 'conversations'];
  const lines = folders.flatMap((folder) => labelledLines(join(tools, folder)));
  return lines.map(({ label, text, kind }, group) => ({
    features: forgetFeatures(text),
    vector: embed(text),
    label: label === 'forget' ? 1 : 0,
    ...{ group, kind },
  }));
}

type LabelledLine = { label: string; text: string; kind: string };

/** Lines with a label before the first tab and a text after the last; an assistant's do not count. */
function labelledLines(folder: string): LabelledLine[] {
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([label, ...rest]) => label !== 'label' && rest.length > 0 && rest[1] !== 'assistant')
      .map(([label = '', ...rest]) => ({
        ...{ label, text: rest.at(-1) ?? '' },
        kind: file.slice(0, 2),
      })),
  );
}
