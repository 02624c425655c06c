import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { formatTable } from '../../src/cli/io/table.ts';
import { describeTerminal, type Terminal } from '../../src/cli/io/terminal.ts';
import { relativeTime } from '../../src/contract/relative-time.ts';

const screen: Terminal = { isInteractive: true, columns: 80, hasColors: false };
const pipe: Terminal = { isInteractive: false, columns: 80, hasColors: false };

function table(...texts: string[]) {
  return { heading: ['ID', 'MEMORY'], rows: texts.map((text) => ['0123abcd', text]) };
}

describe('a table', () => {
  it('fits the terminal, whatever its characters are wide', () => {
    const long = [
      'x'.repeat(200),
      '日本語'.repeat(40),
      '👩‍👩‍👧 family '.repeat(20),
      'é'.repeat(90),
    ];

    const lines = formatTable(table(...long), screen).split('\n');

    expect(lines[0]).toBe('ID        MEMORY');
    expect(lines[1]).toBe(`0123abcd  ${'x'.repeat(69)}…`);
    for (const line of lines.slice(1)) {
      expect(stringWidth(line)).toBeLessThanOrEqual(80);
      expect(stringWidth(line)).toBeGreaterThan(70);
    }
  });

  it('aligns its columns after wide characters', () => {
    const rows = [
      ['日本', 'a'],
      ['abc', 'b'],
    ];

    const text = formatTable({ heading: ['NAME', 'TEXT'], rows }, screen);

    expect(text).toBe('NAME  TEXT\n日本  a\nabc   b');
  });

  it('gives every column a place on a narrow terminal', () => {
    const rows = [Array.from({ length: 8 }, () => 'y'.repeat(60))];

    const text = formatTable({ heading: Array(8).fill('H'), rows }, { ...screen, columns: 40 });

    expect(Math.max(...text.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(40);
  });

  it.each([
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['a\nb\r\nc\u2028d\te', 'a b c d e'],
    ['bell\u0007 \u009b2J \u007f', 'bell␇ \ufffd2J ␡'],
    ['\u202eevil', '\ufffdevil'],
    ['\ud800', '\ufffd'],
  ])('shows %j so that it cannot act on a terminal or a line', (stored, shown) => {
    expect(formatTable(table(stored), pipe)).toBe(`0123abcd\t${shown}`);
    expect(formatTable(table(stored), screen)).toBe(`ID        MEMORY\n0123abcd  ${shown}`);
  });

  it('keeps right-to-left text from reordering what stands beside it, also when it is cut', () => {
    const [, line = ''] = formatTable(table('שלום '.repeat(40)), screen).split('\n');

    expect(line).toMatch(/^0123abcd {2}\u2068.*…\u2069$/);
    expect(formatTable(table('שלום'), pipe)).toBe('0123abcd\tשלום');
  });

  it('is one whole line for each row in a pipe', () => {
    const text = 'word '.repeat(100).trim();

    expect(formatTable(table(text, 'b'), pipe)).toBe(`0123abcd\t${text}\n0123abcd\tb`);
  });
});

describe('colours', () => {
  const colors = (isTTY: boolean, env: Record<string, string>) =>
    describeTerminal({ isTTY, columns: 100 }, env).hasColors;

  it('are for terminals, unless NO_COLOR or FORCE_COLOR says otherwise', () => {
    expect(colors(true, { TERM: 'xterm-256color' })).toBe(true);
    expect(colors(true, { TERM: 'dumb' })).toBe(false);
    expect(colors(true, { TERM: 'xterm-256color', NO_COLOR: '1' })).toBe(false);
    expect(colors(false, { TERM: 'xterm-256color' })).toBe(false);
    expect(colors(false, { FORCE_COLOR: '1' })).toBe(true);
    expect(colors(true, { TERM: 'xterm-256color', FORCE_COLOR: '0' })).toBe(false);
  });
});

describe('a relative time', () => {
  it.each([
    [0, 'just now'],
    [61, '1 minute ago'],
    [2 * 3600, '2 hours ago'],
    [86_400, 'yesterday'],
    [3 * 86_400, '3 days ago'],
    [-86_400, 'tomorrow'],
    [400 * 86_400, 'last year'],
  ])('of %d seconds ago is "%s"', (seconds, words) => {
    const now = Date.parse('2026-05-05T12:00:00Z');

    expect(relativeTime(new Date(now - seconds * 1000).toISOString(), now)).toBe(words);
  });
});
