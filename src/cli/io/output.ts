import { escapeHidden } from '../../contract/schemas/text.ts';
import { printableLine } from './printable.ts';
import { describeTerminal } from './terminal.ts';

/** Writes to stdout; all other output goes to stderr. Not used while MCP runs on stdout. */
export function print(text: string): void {
  // A reader that stops early (`mneme tools | head -1`) is not an error.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', exitOnBrokenPipe);
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(escapeHidden(JSON.stringify(value, null, 2)));
}

type PagePosition = { page: number; page_size: number; total: number };

/** Follows the count of a list that has other pages. */
export function pageNote({ page, page_size, total }: PagePosition): string {
  const pages = Math.ceil(total / page_size);
  return pages > 1 ? ` Page ${page} of ${pages}; --page shows another.` : '';
}

function exitOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}

/**
 * Columns aligned for reading; the last one wraps under itself, or stands below the others where
 * they leave it little room.
 */
export function formatColumns(
  table: readonly (readonly string[])[],
  width = outputWidth(),
): string {
  const columns = Math.max(0, ...table.map((row) => row.length));
  const rows = table.map((row) => {
    const cells = row.map(printableLine);
    // A short row gets empty cells before its last one.
    return [...cells.slice(0, -1), ...Array(columns - cells.length).fill(''), cells.at(-1) ?? ''];
  });
  const widths = (rows[0] ?? [])
    .slice(0, -1)
    .map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  const leadWidth = widths.reduce((sum, one) => sum + one + gap.length, indent.length);
  const longest = Math.max(0, ...rows.map((row) => (row.at(-1) ?? '').length));
  const isBelow = width - leadWidth < Math.min(lastColumnMin, longest);
  return rows
    .flatMap((row) => {
      const cells = row.slice(0, -1);
      const columns = cells.map((cell, index) => cell.padEnd(isBelow ? 0 : (widths[index] ?? 0)));
      const lead = indent + columns.filter((cell) => cell !== '').join(gap);
      const start = isBelow ? indent.repeat(3) : ' '.repeat(leadWidth);
      const lines = wrapText(row.at(-1) ?? '', width - start.length).map((line) => start + line);
      if (isBelow)
        return [...wrapText(lead.trim(), width - 2).map((line) => indent + line), ...lines];
      return [lead.padEnd(leadWidth) + (lines[0] ?? '').slice(leadWidth), ...lines.slice(1)];
    })
    .join('\n');
}

const indent = '  ';
const gap = '  ';
const lastColumnMin = 36;

/** Longer lines are hard to read; in a pipe nobody knows the width. */
const widthMax = 100;

export function outputWidth(): number {
  return Math.min(widthMax, describeTerminal().columns);
}

/** Wraps text into lines of at most that many characters, words that are longer excepted. */
export function wrapText(text: string, width = outputWidth()): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
