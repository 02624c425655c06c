/** A Markdown table, aligned for reading in a terminal: first column left, numbers right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, index) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => align(cell, index, widths[index] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width, index) =>
    index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

function align(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/** `0.4567` as `45.7`. */
export function percent(share: number): string {
  return (share * 100).toFixed(1);
}

/** `0.4567` as `.457`. */
export function fraction(share: number): string {
  return share.toFixed(3).replace(/^0/, '');
}

export function milliseconds(ms: number): string {
  return ms < 10 ? ms.toFixed(2) : ms.toFixed(ms < 100 ? 1 : 0);
}

export function perSecond(count: number, ms: number): string {
  return Math.round((count / ms) * 1000).toLocaleString('en-US');
}
