import stringWidth from 'string-width';
import { isolateDirection, printableLine } from './printable.ts';
import { describeTerminal, paint, type Style, type Terminal } from './terminal.ts';

export type Cell = string | { text: string; style?: Style };

export type PrintedTable = {
  heading: readonly string[];
  /** The last cell of a row takes the rest of the line, and is cut there at a terminal. */
  rows: readonly (readonly Cell[])[];
  /** How many lines the last cell may have at a terminal. Default: 1. */
  lines?: number;
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
  const options = { widths, lines: table.lines ?? 1, terminal };
  return [heading, ...rows].map((row) => alignedRow(row, options)).join('\n');
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

type AlignOptions = { widths: readonly number[]; lines: number; terminal: Terminal };

function alignedRow(row: readonly PrintableCell[], options: AlignOptions): string {
  const { widths, lines, terminal } = options;
  const cells = row.slice(0, -1).map(({ text, style }, index) => {
    const cellText = cutToWidth(text, widths[index] ?? 0);
    const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(cellText)));
    return paint(isolateDirection(cellText), style, terminal) + padding + gap;
  });
  const { text = '', style } = row.at(-1) ?? {};
  const below = ' '.repeat(widths.slice(0, -1).reduce((sum, one) => sum + one + gap.length, 0));
  return linesOfWidth(text, widths.at(-1) ?? 0, lines)
    .map((line, index) => {
      const lead = index === 0 ? cells.join('') : below;
      return (lead + paint(isolateDirection(line), style, terminal)).trimEnd();
    })
    .join('\n');
}

/** A text in at most that many lines; the last one is cut. */
function linesOfWidth(text: string, width: number, linesMax: number): string[] {
  const lines: string[] = [];
  let tail = text;
  while (lines.length < linesMax - 1 && stringWidth(tail) > width) {
    const start = cutToWidth(tail, width).slice(0, -1);
    const space = start.lastIndexOf(' ');
    // Scripts without spaces, and long words, break anywhere.
    const line = space > start.length / 2 ? start.slice(0, space) : start;
    if (line === '') break;
    lines.push(line.trimEnd());
    tail = tail.slice(line.length).trimStart();
  }
  return [...lines, cutToWidth(tail, width)];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text that fits, with an ellipsis if something is cut. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let beginning = '';
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += stringWidth(segment);
    if (columns > width - 1) break;
    beginning += segment;
  }
  return `${beginning}…`;
}
