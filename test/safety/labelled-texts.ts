import { readFileSync } from 'node:fs';

/** A text of a set of this folder; `secret` is what has to be taken out of it. */
export type LabelledText = {
  text: string;
  kind: 'order' | 'secret' | 'harmless';
  shape: string;
  language?: string;
  secret?: string;
};

/** `development` may be looked at and tuned on; `acceptance` is for figures only. */
export type Half = 'development' | 'acceptance';

export function readLabelledTexts(
  what: 'orders' | 'roles' | 'notes' | 'secrets',
  half: Half,
): LabelledText[] {
  const file = `test/safety/${what}-${half}.jsonl`;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line): LabelledText => JSON.parse(line));
}

/** Of the texts of a set, the share that is recognized, and that of harmless ones that is too. */
export function sharesOf(
  texts: readonly LabelledText[],
  isRecognized: (text: LabelledText) => boolean,
): { found: number; wrong: number } {
  const shareOf = (some: readonly LabelledText[]) => some.filter(isRecognized).length / some.length;
  return {
    found: shareOf(texts.filter(({ kind }) => kind !== 'harmless')),
    wrong: shareOf(texts.filter(({ kind }) => kind === 'harmless')),
  };
}
