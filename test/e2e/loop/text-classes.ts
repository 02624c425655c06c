import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { functionWords } from '../../../src/core/language/function-words.ts';
import { otherScriptFunctionWords } from '../../../src/core/language/function-words-of-other-scripts.ts';
import { units } from '../heavy-requests.ts';
import { categories, charactersOf, growing, lettersOf, scripts } from './unicode.ts';

/** A kind of text, in one of its forms, at any length. */
export type Text = { about: string; of(chars: number): string };

/** Makes as many parts as the length takes; each part knows how many came before it. */
function written(about: string, part: (at: number) => string): Text {
  return {
    about,
    of: (chars) => {
      const parts: string[] = [];
      for (let length = 0; length < chars; ) {
        const next = part(parts.length) || ' ';
        parts.push(next);
        length += next.length;
      }
      return parts.join('').slice(0, chars).toWellFormed();
    },
  };
}

function run(unit: string): Text {
  return written(`run of ${JSON.stringify(unit.slice(0, 40))}`, () => unit);
}

const words = wordsByLanguage();
const phrases = phrasesByLanguage();
const grown = growing();
const mostGrown = grown.filter(({ times }) => times >= 4);

/** Of lists that are too long for `constantFrom`, each as often as any other. */
function oneOf<T>(list: readonly T[]): fc.Arbitrary<T> {
  return fc.noBias(fc.nat(list.length - 1)).map((at) => {
    const found = list[at];
    if (found === undefined) throw new RangeError(`${at}`);
    return found;
  });
}

/** Texts are drawn from it, millions of characters long: it keeps nothing of them. */
function endless<T>(of: fc.Arbitrary<T>): fc.Arbitrary<fc.Stream<T>> {
  return fc.infiniteStream(of, { noHistory: true });
}

/** A language, and something of it. */
function spoken(of: ReadonlyMap<string, readonly string[]>): fc.Arbitrary<string> {
  return oneOf([...of.values()]).chain((list) => oneOf(list));
}

/** A script, as likely as any other, and a character of it. */
const letter = oneOf(scripts).chain((script) => oneOf(lettersOf(script)));
const sign = oneOf(categories).chain((category) => oneOf(charactersOf(category)));

/** Every kind of text that a request can carry, by its name. */
export const textClasses: Readonly<Record<string, fc.Arbitrary<Text>>> = {
  'run of a letter': letter.map(run),
  'run of a sign': sign.map(run),
  'run of a character that grows': fc
    .oneof(
      oneOf(mostGrown.map(({ character }) => character)),
      oneOf(grown.map(({ character }) => character)),
    )
    .map(run),
  'run of the most growing': fc.constant(run(grown[0]?.character ?? '')),
  'run of a word': fc
    .tuple(spoken(words), fc.constantFrom('', ' ', '. ', '\n'))
    .map(joined)
    .map(run),
  'run of a phrase': fc
    .tuple(spoken(phrases), fc.constantFrom('', ' ', '\n'))
    .map(joined)
    .map(run),
  'run of a mark, key or date': fc.oneof(oneOf(units), date()).map(run),
  'runs in turn': fc
    .array(fc.tuple(fc.oneof(oneOf(units), letter, sign), fc.integer({ min: 1, max: 60 })), {
      minLength: 2,
      maxLength: 3,
    })
    .map((parts) => run(parts.map(([unit, times]) => unit.repeat(times)).join(''))),
  'two words in turn': fc
    .tuple(word(letter), word(letter))
    .map(([one, other]) => run(`${one} ${other} `)),
  'counted sentences': spoken(phrases).map(counted),
  'counted lines': spoken(words).map((each) =>
    written(`lines "${each}N"`, (at) => `${each}${at}\n`),
  ),
  numerals: oneOf(Intl.supportedValuesOf('numberingSystem')).map(numerals),
  dates: oneOf(locales()).map(dates),
  'words of a script': oneOf(scripts).chain((script) =>
    endless(word(oneOf(lettersOf(script)))).map((stream) =>
      ofStream(`words of ${script}`, stream, ' '),
    ),
  ),
  'letters of a script': oneOf(scripts).chain((script) =>
    endless(oneOf(lettersOf(script))).map((stream) => ofStream(`letters of ${script}`, stream, '')),
  ),
  'characters of all scripts': endless(letter).map((stream) =>
    ofStream('letters of all scripts', stream, ''),
  ),
  'words of all scripts': endless(word(letter)).map((stream) =>
    ofStream('words of all scripts', stream, ' '),
  ),
  'signs of all kinds': endless(sign).map((stream) => ofStream('signs of all kinds', stream, '')),
  'words of a language': oneOf([...words]).chain(([language, list]) =>
    endless(oneOf(list)).map((stream) => ofStream(`words of ${language}`, stream, ' ')),
  ),
  'phrases of a language': oneOf([...phrases]).chain(([language, list]) =>
    endless(oneOf(list)).map((stream) => ofStream(`phrases of ${language}`, stream, ' ')),
  ),
  'characters that grow': endless(oneOf(grown.map(({ character }) => character))).map((stream) =>
    ofStream('characters that grow', stream, ''),
  ),
  'marks on a letter': fc
    .tuple(letter, oneOf(charactersOf('M')), fc.integer({ min: 2, max: 100_000 }))
    .map(([base, mark, times]) => run(base + mark.repeat(times))),
  'many marks on letters': endless(
    fc.oneof({ weight: 1, arbitrary: letter }, { weight: 30, arbitrary: oneOf(charactersOf('M')) }),
  ).map((stream) => ofStream('letters with marks', stream, '')),
  table: table(',').map((row) => written('rows with commas', row)),
  'table with tabs': table('\t').map((row) => written('rows with tabs', row)),
  JSON: spoken(words).map((name) =>
    written('JSON', (at) => `{"${name}${at}": [${at}, "${name}"]},`),
  ),
  'open JSON': spoken(words).map((name) => run(`{"${name}":[`)),
  code: spoken(words).map((name) =>
    written('code', (at) => `const ${name}${at} = ${name}(${at}); // ${name}\n`),
  ),
  quotes: fc
    .tuple(spoken(phrases), fc.constantFrom('""', '“”', '«»', '「」', '„“', "''", '``'))
    .map(([phrase, [open = '', close = '']]) =>
      written('quoted phrases', (at) => `${open}${phrase}${at}${close} `),
    ),
  keys: spoken(words).map((name) =>
    written('keys and values', (at) => `${name}_${at}: ${at.toString(36)}${name}\n`),
  ),
  'unique words': fc.constant(written('unique words', (at) => `${(at * 7_919).toString(36)}q `)),
  'one word': endless(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789')).map((stream) =>
    ofStream('one long word', stream, ''),
  ),
};

function joined(parts: readonly string[]): string {
  return parts.join('');
}

function word(letters: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(letters, { minLength: 1, maxLength: 8 }).map(joined);
}

/** The stream is read on from where it was: two texts of it differ. */
function ofStream(about: string, stream: Iterator<string>, between: string): Text {
  return written(about, () => `${stream.next().value}${between}`);
}

/** The phrase with a number after its last word, as of another name each time. */
function counted(phrase: string): Text {
  const [, start = phrase, end = ''] = /^(.*[\p{L}\p{M}\p{N}])(.*)$/su.exec(phrase) ?? [];
  return written(`"${start}N${end}"`, (at) => `${start}${at}${end} `);
}

function numerals(system: string): Text {
  const format = new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false });
  return written(`numerals of ${system}`, (at) => `${format.format(at)} `);
}

/** The languages of the program, and what else this Node writes dates in. */
function locales(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const tags = letters.flatMap((one) => letters.map((other) => one + other));
  return Intl.DateTimeFormat.supportedLocalesOf(tags);
}

const styles = ['short', 'medium', 'long', 'full'] as const;

function dateOf(locale: string, at: number): string {
  const dateStyle = styles[at % styles.length] ?? 'long';
  const day = new Date(Date.UTC(1990, 0, 1 + ((at * 37) % 20_000)));
  return new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(day);
}

function date(): fc.Arbitrary<string> {
  return fc.tuple(oneOf(locales()), fc.nat(10_000)).map(([locale, at]) => `${dateOf(locale, at)} `);
}

function dates(locale: string): Text {
  const some = Array.from({ length: 400 }, (_, at) => dateOf(locale, at));
  return written(`dates in ${locale}`, (at) => `${some[at % some.length]}, `);
}

function table(between: string): fc.Arbitrary<(at: number) => string> {
  return fc.tuple(spoken(words), spoken(words)).map(
    ([one, other]) =>
      (at) =>
        `${[one, at, other, `${other}${at}`].join(between)}\n`,
  );
}

function wordsByLanguage(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [spelt, spokenIn] of [...functionWords, ...otherScriptFunctionWords]) {
    for (const language of [spokenIn].flat())
      found.set(language, [...(found.get(language) ?? []), spelt]);
  }
  return found;
}

/** What is said in the conversations that the extraction is tested with, and what is not. */
function phrasesByLanguage(): Map<string, string[]> {
  const folder = new URL('../../extraction/corpus/', import.meta.url);
  return new Map(
    readdirSync(folder).map((name) => {
      const lines = readFileSync(new URL(name, folder), 'utf8').split('\n');
      const said = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
      return [name.replace('.txt', ''), said];
    }),
  );
}
