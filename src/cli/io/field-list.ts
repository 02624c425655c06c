import stringWidth from 'string-width';
import { wrapText } from './output.ts';
import { isolateDirection, printableLine } from './printable.ts';
import { paint, type Terminal } from './terminal.ts';

/** Names and values below each other; in a pipe, a line for each with a tab between them. */
export function formatFields(
  fields: readonly (readonly [name: string, value: string])[],
  terminal: Terminal,
): string {
  if (!terminal.isInteractive) {
    return fields.map(([name, value]) => `${name}\t${printableLine(value)}`).join('\n');
  }
  const width = Math.max(0, ...fields.map(([name]) => stringWidth(name))) + gap;
  return fields
    .flatMap(([name, value]) => {
      const [first = '', ...rest] = wrapText(printableLine(value), terminal.columns - width);
      const label = paint(name, 'dim', terminal) + ' '.repeat(width - stringWidth(name));
      const below = rest.map((line) => ' '.repeat(width) + isolateDirection(line));
      return [label + isolateDirection(first), ...below];
    })
    .join('\n');
}

const gap = 2;
