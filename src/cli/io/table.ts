import stringWidth from 'string-width';
import { isolateDirection, printableLine } from './printable.ts';
import { describeTerminal, paint, type Style, type Terminal } from './terminal.ts';

export type Cell = string | { text: string; style?: Style };

export type PrintedTable = {
  heading: readonly string[];
  /** The last cell of a row takes the rest of the line, and is cut there at a terminal. */
  rows: readonly (readonly Cell[])[];
};

const gap = '  ';

/**
 * A table that fits the terminal, with its heading. Elsewhere one line for each row, its cells
 * whole, without a heading, separated by tabs.
 */
export function formatTable(table: PrintedTable, terminal: Terminal = describeTerminal()): string {
  const rows = table.rows.map((row) => row.map(toPrintable));
  if (!terminal.isInteractive) return rows.map((row) => plainLine(row, terminal)).join('\n');
  const heading = table.heading.map((text) => ({ text, style: 'dim' as const }));
  const widths = columnWidths([heading, ...rows], terminal);
  return [heading, ...rows].map((row) => alignedLine(row, { widths, terminal })).join('\n');
}

type PrintableCell = { text: string; style?: Style | undefined };

function toPrintable(cell: Cell): PrintableCell {
  const { text, style } = typeof cell === 'string' ? { text: cell, style: undefined } : cell;
  return { text: printableLine(text), style };
}

function plainLine(row: readonly PrintableCell[], terminal: Terminal): string {
  return row.map(({ text, style }) => paint(text, style, terminal)).join('\t');
}

/** The last column gets what the others leave, and at least a third of the line. */
function columnWidths(
  rows: readonly (readonly PrintableCell[])[],
  { columns }: Terminal,
): number[] {
  const [first = []] = rows;
  const own = first.map((_, index) =>
    Math.max(...rows.map((row) => stringWidth(row[index]?.text ?? ''))),
  );
  const widths = own.slice(0, -1);
  const gaps = gap.length * widths.length;
  const room = Math.max(0, columns - gaps - Math.ceil(columns / 3));
  // The widest column gives way first, until the others fit.
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return [...widths, columns - gaps - widths.reduce((sum, width) => sum + width, 0)];
}

type AlignOptions = { widths: readonly number[]; terminal: Terminal };

function alignedLine(row: readonly PrintableCell[], { widths, terminal }: AlignOptions): string {
  const cells = row.map(({ text, style }, index) => {
    const width = widths[index] ?? 0;
    const shown = cutToWidth(text, width);
    const isLast = index === row.length - 1;
    const padding = isLast ? '' : ' '.repeat(Math.max(0, width - stringWidth(shown)));
    return paint(isolateDirection(shown), style, terminal) + padding;
  });
  return cells.join(gap).trimEnd();
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text that fits, with an ellipsis if something is cut. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shown = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}
