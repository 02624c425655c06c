import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageFile } from '../../src/app/models/bundled-files.ts';
import { createTextEmbedder } from '../../src/app/models/static-text-embedder.ts';
import { readEnglishTable } from '../../src/providers/models/static/english-table.ts';
import { readOtherLanguagesTable } from '../../src/providers/models/static/other-languages-table.ts';
import { embedStatically } from '../../src/providers/models/static/static-embedder.ts';
import { createPieceReader } from '../../src/providers/models/static/word-pieces.ts';
import { createWordReader } from '../../src/providers/models/static/words-of-languages.ts';

const table = readEnglishTable(packageFile('embedding', 'english.bin'));
const folder = mkdtempSync(join(tmpdir(), 'mneme-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

const embed = (text: string) => embedStatically(table, text);

const others = readOtherLanguagesTable(packageFile('embedding', 'languages.bin'));
const embedAny = createTextEmbedder(table, () => others);

function similarity(one: string, other: string, embedder = embed): number {
  const [a = [], b = []] = [one, other].map((text) => [...(embedder(text) ?? [])]);
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

describe('words of other languages', () => {
  const words = ['arbeitet', 'haus', 'haustur', 'schlussel', 'straße', '吃', '喜欢', '不'].map(
    (word) => word.replace('ß', 'ss'),
  );
  const ordered = words.toSorted();
  const read = createWordReader(ordered);
  const cut = (text: string) => read(text, table.read).words.map((number) => ordered[number]);

  it('are found without case and accents', () => {
    expect(cut('HAUSTÜR, Strasse/STRAẞE')).toEqual(['haustur', 'strasse', 'strasse']);
  });

  it('are found by how they begin, and in compounds', () => {
    expect(cut('arbeiteten')).toEqual(['arbeitet']);
    expect(cut('Haustürschlüssels')).toEqual(['haustur', 'schlussel']);
    expect(cut('arm xyzzyxy')).toEqual([]);
  });

  it('are the longest ones where none stands between spaces', () => {
    expect(cut('不喜欢吃魚')).toEqual(['不', '喜欢', '吃']);
  });

  it('are those of English where a language has borrowed them, as are numbers', () => {
    const { words: own, pieces, knownShare } = read('haus laptop 42 xyzzyxy', table.read);

    expect([own.length, pieces.length, knownShare]).toEqual([1, 2, 0.75]);
  });
});

describe('the vector of a text in another language', () => {
  it.each([
    ['Haben wir Haustiere?', 'Unser Hund ist vier Jahre alt', 'Die Frist endet am Freitag'],
    ['Quel est son métier ?', 'Elle est infirmière à Lyon', 'Elle conduit une voiture rouge'],
    ['¿Qué deporte practico?', 'Juego al tenis los martes', 'Cocino sopa de lentejas'],
    ['Che lavoro fa mia sorella?', 'Giulia è infermiera', 'Ho comprato una lampada nuova'],
    ['Qual instrumento eu toco?', 'Estudo violino desde criança', 'O prazo termina na sexta'],
    ['Какие у нас животные?', 'Нашей собаке четыре года', 'Я готовлю суп'],
    ['何のスポーツをしていますか', '毎週テニスの練習に行きます', '赤い車を買いました'],
    ['我对什么食物过敏?', '我不能吃花生', '我的车是红色的'],
    ['Which pets do we have?', 'Unser Hund ist vier Jahre alt', 'Die Frist endet am Freitag'],
  ])('of %s is nearer to its answer than to another topic', (question, answer, other) => {
    expect(similarity(question, answer, embedAny)).toBeGreaterThan(
      similarity(question, other, embedAny),
    );
  });

  it('has length 1, like one in English', () => {
    const vector = embedAny('Ich vertrage keine Haselnüsse') ?? new Float32Array();
    expect(vector).toHaveLength(table.dimension);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it.each([
    ['another language', 'Veljeni koira täyttää kesällä neljä vuotta'],
    ['an unknown script', 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ'],
    ['a script of other languages', 'אחותי גרה בחיפה'],
    ['emoji', '😀🎉👩‍👩‍👧'],
    ['unknown words of a known script', 'ґґєєїї ґґєєїї'],
  ])('is none for %s', (_, text) => {
    expect(embedAny(text)).toBeNull();
  });

  it.each([
    ['one long word', 'ü'.repeat(32_000)],
    ['one long word that compounds begin', 'haus'.repeat(8_000)],
    ['many words', 'nicht für die Straße '.repeat(1_500)],
    ['Chinese', '我不能吃花生'.repeat(5_300)],
    ['one sign', '々'.repeat(32_000)],
    ['Russian and emoji', 'собака 🐕 '.repeat(3_200)],
    ['marks without end', `ж${'\u0301'.repeat(31_000)}`],
  ])('is finite, or none, for 32,000 characters of %s', (_, text) => {
    expect(embedAny(text)?.every(Number.isFinite) ?? true).toBe(true);
  });

  it('is none where the table cannot be read, which is tried once', () => {
    let tries = 0;
    const broken = createTextEmbedder(table, () => {
      tries += 1;
      return null;
    });

    expect(broken('Meine Schwester wohnt in Kassel')).toBeNull();
    expect(broken('Моя сестра живёт в Казани')).toBeNull();
    expect(broken('My sister lives in Leeds')).not.toBeNull();
    expect(tries).toBe(1);
  });

  it('takes no other table for English, also with words from elsewhere', () => {
    const english = createTextEmbedder(table, () => {
      throw new Error('opened');
    });
    for (const text of [
      'My friend 田中 moved to Kyoto last year',
      'Staging runs kubectl rollout restart on eu-west-1',
      'We had crème brûlée at Café Müller in El Paso',
      'Zoë Müller-Lüdenscheidt',
    ])
      expect(() => english(text), text).not.toThrow();
  });
});

it('a row of the table read alone is the same as one read with all others', () => {
  const opened = readEnglishTable(packageFile('embedding', 'english.bin'));
  const numbers = Array.from({ length: 300 }, (_, number) => 90 * number);

  const alone = opened.rowOf(numbers[299] ?? 0);
  const rows = numbers.map((number) => opened.rowOf(number));

  expect(rows.at(-1)).toEqual(alone);
  expect(numbers.map((number) => opened.rowOf(number))).toEqual(rows);
  expect(new Set(rows.map(String)).size).toBe(300);
});

describe.each(['english.bin', 'languages.bin'] as const)('a table (%s) that', (name) => {
  const read = name === 'english.bin' ? readEnglishTable : readOtherLanguagesTable;
  const content = readFileSync(packageFile('embedding', name));
  const changed = Buffer.from(content);
  changed[content.length - 100_000] = (changed[content.length - 100_000] ?? 0) ^ 1;

  it.each([
    ['is empty', Buffer.alloc(0), 'is not a table of mneme'],
    ['is something else', Buffer.from('hello\n'), 'JSON'],
    ['is cut short', content.subarray(0, 1_000_000), 'bytes'],
    ['has a changed bit', changed, 'does not match its hash'],
  ])('%s is refused', (title, bytes, message) => {
    const file = join(folder, title);
    writeFileSync(file, bytes);
    expect(() => read(file, { verify: true })).toThrow(message);
  });

  it('is missing is refused', () => {
    expect(() => read(join(folder, 'none'))).toThrow('ENOENT');
  });
});
