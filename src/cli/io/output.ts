import { escapeHidden } from '../../contract/schemas/text.ts';
import { printableLine } from './printable.ts';

/** Writes to stdout; all other output goes to stderr. Not used while MCP runs on stdout. */
export function print(text: string): void {
  // A reader that stops early (`mneme tools | head -1`) is not an error.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', exitOnBrokenPipe);
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(escapeHidden(JSON.stringify(value, null, 2)));
}

function exitOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}

/** Columns aligned for reading in a terminal; the last one wraps under itself. */
export function formatColumns(table: readonly (readonly string[])[], width = 100): string {
  const rows = table.map((row) => row.map(printableLine));
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => (row[index] ?? '').length)),
  );
  return rows
    .map((row) => {
      const cells = row.slice(0, -1).map((cell, index) => cell.padEnd(widths[index] ?? 0));
      const lead = cells.map((cell) => `${cell}  `).join('');
      const lines = wrapText(row.at(-1) ?? '', Math.max(30, width - lead.length - indent.length));
      return lines
        .map((line, index) => indent + (index === 0 ? lead : ' '.repeat(lead.length)) + line)
        .join('\n');
    })
    .join('\n');
}

const indent = '  ';

/** Wraps text into lines of at most that many characters. */
export function wrapText(text: string, width = 100): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
