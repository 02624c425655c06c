import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tableFile } from '../../src/app/static-search.ts';
import { embedStatically } from '../../src/providers/models/static/static-embedder.ts';
import { readStaticTable } from '../../src/providers/models/static/static-table.ts';
import { createPieceReader } from '../../src/providers/models/static/word-pieces.ts';

const table = readStaticTable(tableFile());
const folder = mkdtempSync(join(tmpdir(), 'mneme-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

const embed = (text: string) => embedStatically(table, text);

function similarity(one: string, other: string): number {
  const [a = [], b = []] = [one, other].map((text) => [...(embed(text) ?? [])]);
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

describe('word pieces', () => {
  const pieces = ['un', '##affa', '##ble', 'cafe', '!', '3', '##pm'];
  const read = createPieceReader(pieces);
  const cut = (text: string) => read(text).pieces.map((index) => pieces[index]);

  it('are the longest that the vocabulary holds, from the left', () => {
    expect(cut('unaffable')).toEqual(['un', '##affa', '##ble']);
    expect(cut('3pm')).toEqual(['3', '##pm']);
  });

  it('know neither case nor accents, and take signs apart', () => {
    expect(cut('CAFÉ!!')).toEqual(['cafe', '!', '!']);
  });

  it('are none for a word of which a part is unknown', () => {
    expect(cut('unaffabx cafe')).toEqual(['cafe']);
  });

  it('tell which share of the words is known whole', () => {
    expect(read('cafe unaffable unknown cafe!').knownShare).toBe(0.5);
    expect(read('!!').knownShare).toBe(0);
  });
});

describe('the vector of a text', () => {
  it('is nearer to the same thing in other words than to another topic', () => {
    for (const [question, answer, other] of [
      ['Does he have any pets?', 'His beagle turned four', 'The deadline is on Friday'],
      ['Which martial art do I practise?', 'I train taekwondo', 'I cook lentil soup'],
      ['What is her profession?', 'She works as a nurse', 'She drives a red car'],
      ['Which database do we use?', 'The service stores rows in PostgreSQL', 'Lunch is at noon'],
    ] as const) {
      expect(similarity(question, answer)).toBeGreaterThan(similarity(question, other));
    }
  });

  it('has length 1', () => {
    const vector = embed('My sister moved to Lisbon') ?? new Float32Array();
    expect(vector).toHaveLength(table.dimension);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t'],
    ['emoji', '😀🎉👩‍👩‍👧'],
    ['an unknown script', 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ'],
    ['control characters', '\u0000\u0007'],
    ['half of a surrogate pair', '\ud83d'],
    ['another language', 'Ich vertrage keine Haselnüsse'],
  ])('is none for %s', (_, text) => {
    expect(embed(text)).toBeNull();
  });

  it.each([
    ['one long word', 'x'.repeat(32_000)],
    ['many words', 'word salad '.repeat(3_000)],
    ['punctuation', '?!.,;'.repeat(6_000)],
    ['marks without end', `a${'\u0301'.repeat(31_000)}`],
  ])('is finite, or none, for 32,000 characters of %s', (_, text) => {
    expect(embed(text)?.every(Number.isFinite) ?? true).toBe(true);
  });
});

describe('a table that', () => {
  const content = readFileSync(tableFile());
  const changed = Buffer.from(content);
  changed[content.length - 100_000] = (changed[content.length - 100_000] ?? 0) ^ 1;

  it.each([
    ['is empty', Buffer.alloc(0), 'is not an embedding table'],
    ['is something else', Buffer.from('hello\n'), 'JSON'],
    ['is cut short', content.subarray(0, 1_000_000), 'bytes'],
    ['has a changed bit', changed, 'does not match its hash'],
  ])('%s is refused', (name, bytes, message) => {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    expect(() => readStaticTable(file, { verify: true })).toThrow(message);
  });

  it('is missing is refused', () => {
    expect(() => readStaticTable(join(folder, 'none'))).toThrow('ENOENT');
  });
});
