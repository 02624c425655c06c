import type { Rewritten } from './change.ts';
import type { Edit } from './formats/format.ts';

/** The lines that edits take away and add, with the number of the line where they begin. */
export function shownEdits({ base, edits }: Rewritten): string {
  return [...edits]
    .sort((a, b) => a.offset - b.offset)
    .filter(
      ({ offset, length, text }) => text !== ',' && base.slice(offset, offset + length) !== ',',
    )
    .map((edit) => shownEdit(base, edit))
    .join('\n');
}

function shownEdit(base: string, { offset, length, text }: Edit): string {
  const removed = base.slice(offset, offset + length);
  const blank = /^\s*/.exec(removed || text)?.[0] ?? '';
  const line = base.slice(0, offset).split('\n').length;
  const from = line + (blank.match(/\n/g)?.length ?? 0);
  const lines = [...marked('-', removed), ...marked('+', text)];
  return [`  line ${from}`, ...lines].join('\n');
}

function marked(mark: string, text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => `  ${mark} ${masked(line)}`);
}

/** An entry may hold keys of its owner's; terminals and their logs are no place for them. */
function masked(line: string): string {
  return line.replace(
    /((?:authorization|key|token|secret|password)\w*["']?\s*[:=]\s*)[^\s[{].*/i,
    '$1********',
  );
}
