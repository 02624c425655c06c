import type { TextEdit } from '../../client-entries/formats/format.ts';
import type { EditedText } from './plan-entry.ts';

/** Shows the lines that edits remove and add, with the line number where they begin. */
export function formatEdits({ base, edits }: EditedText): string {
  return [...edits]
    .sort((a, b) => a.offset - b.offset)
    .filter(
      ({ offset, length, text }) => text !== ',' && base.slice(offset, offset + length) !== ',',
    )
    .map((edit) => formatEdit(base, edit))
    .join('\n');
}

function formatEdit(base: string, { offset, length, text }: TextEdit): string {
  const removed = base.slice(offset, offset + length);
  const blank = /^\s*/.exec(removed || text)?.[0] ?? '';
  const line = base.slice(0, offset).split('\n').length;
  const from = line + (blank.match(/\n/g)?.length ?? 0);
  const lines = [...prefixLines('-', removed), ...prefixLines('+', text)];
  return [`  line ${from}`, ...lines].join('\n');
}

function prefixLines(mark: string, text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => `  ${mark} ${maskSecret(line)}`);
}

/** An entry may hold keys of its owner, which must not appear in terminals and logs. */
function maskSecret(line: string): string {
  return line.replace(
    /((?:authorization|key|token|secret|password)\w*["']?\s*[:=]\s*)[^\s[{].*/i,
    '$1********',
  );
}
