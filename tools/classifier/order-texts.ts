import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from './logistic.ts';
import { disguise } from './order-disguises.ts';

/**
 * A text, and the part of it that is an order; null if there is none. `kind`: its language and where
 * it is from. Texts of one source are never on both sides of a split.
 */
export type OrderText = { text: string; order: string | null; kind: string; source: string };

type Random = () => number;

/** The texts of `orders/`, samples of its patterns, and what users say in the other folders. */
export function readOrderTexts(tools: string): OrderText[] {
  const random = createRandom(11);
  const folder = join(tools, 'orders');
  const read = (path: string, name: string) => readRows(join(path, name)).slice(1);
  const patterns = new Map(
    filesOf(join(folder, 'patterns')).map((name) => [
      name.slice(0, 2),
      patternsOf(read(join(folder, 'patterns'), name)),
    ]),
  );
  const written = filesOf(folder).flatMap((name) =>
    readRows(join(folder, name)).flatMap(([label = '', text = ''], index) => {
      const language = name.slice(0, 2);
      const order = label === 'order' ? readEscapes(text) : null;
      const one = { text: readEscapes(text), order, source: `${name} ${index}` };
      const plain = { ...one, kind: `${language} written` };
      const { carrier } = patterns.get(language) ?? noPatterns;
      const varied = Array.from({ length: variants }, () => {
        const held = disguise(one.text, order !== null, random);
        const isHeld = carrier.length > 0 && held.length < heldMax && random() < 0.5;
        const text = isHeld
          ? fill(pick(carrier, random), { lists: noLists, random, here: held })
          : held;
        return { ...one, text, order: order && held, kind: `${language} varied` };
      });
      return [plain, ...varied];
    }),
  );
  const sampled = [...patterns].flatMap(([kind, one]) => samplesOf(one, { kind, random }));
  const said = ['sentences', 'turns', 'conversations', 'forgetting'].flatMap((name) =>
    filesOf(join(tools, name)).flatMap((file) => readSaid(join(tools, name, file), random)),
  );
  return [...written, ...sampled, ...said];
}

/** Of each written text, besides itself. */
const variants = 6;

/** A longer text is not put into another one. */
const heldMax = 300;

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

function readRows(file: string): string[][] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.includes('\t')).map((line) => line.split('\t'));
}

function readEscapes(text: string): string {
  return text.replaceAll('\\n', '\n').trim();
}

type Lists = ReadonlyMap<string, string[]>;

/** README.md tells the form of patterns. */
type Patterns = { lists: Lists; order: string[]; harmless: string[]; carrier: string[] };

const noLists: Lists = new Map();
const noPatterns: Patterns = { lists: noLists, order: [], harmless: [], carrier: [] };

function patternsOf(rows: readonly string[][]): Patterns {
  const lists = new Map<string, string[]>();
  for (const [label = '', text = ''] of rows) {
    lists.set(label, [...(lists.get(label) ?? []), text]);
  }
  const of = (label: string) => lists.get(label) ?? [];
  // They hold the best-known orders, each in hundreds of wordings.
  const imperatives = [...of('@act'), ...of('@imp')].map((pattern) => `${pattern}.`);
  const many = Array.from({ length: 10 }).flatMap(() => imperatives);
  return {
    lists,
    order: [...of('order'), ...many],
    harmless: of('harmless'),
    carrier: of('carrier'),
  };
}

type Sampling = { kind: string; random: Random };

/** Samples of each pattern, alone and in the middle of harmless texts. */
function samplesOf(patterns: Patterns, { kind, random }: Sampling): OrderText[] {
  const { lists, order: orders, harmless, carrier } = patterns;
  const count = kind === 'en' ? samples.english : samples.other;
  const times = <T>(number: number, make: () => T) => Array.from({ length: number }, make);
  const alone = [...orders, ...harmless].flatMap((pattern, index) =>
    times(count, () => {
      const isOrder = index < orders.length;
      const text = disguise(fill(pattern, { lists, random }), isOrder, random);
      return { text, order: isOrder ? text : null, kind, source: `${kind} ${pattern}` };
    }),
  );
  const carried = carrier.flatMap((pattern, index) =>
    times(count * 2, () => {
      const isOrder = random() < 0.5;
      const here = fill(pick(isOrder ? orders : harmless, random), { lists, random });
      const text = fill(pattern, { lists, random, here });
      return { text, order: isOrder ? here : null, kind, source: `${kind} carrier ${index}` };
    }),
  );
  return [...alone, ...carried];
}

/** Of each pattern. */
const samples = { english: 40, other: 30 } as const;

type Filling = { lists: Lists; random: Random; here?: string };

/** Replaces the innermost `[[a|b]]` by one of its alternatives until there is none left. */
function fill(pattern: string, { lists, random, here = '' }: Filling): string {
  let text = pattern.replace('[[@here]]', '\u0001');
  for (let depth = 0; depth < 20 && text.includes('[['); depth += 1) {
    text = text.replace(/\[\[((?:(?!\[\[|\]\]).)*)\]\]/gs, (_, inside: string) =>
      pick(lists.get(inside) ?? inside.split('|'), random),
    );
  }
  return readEscapes(text).replace('\u0001', () => here);
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** Every second line that users and assistants say: the last column of a table, or what follows a label. */
function readSaid(file: string, random: Random): OrderText[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => (line.startsWith('< ') ? line.slice(2) : (line.split('\t').at(-1) ?? '')))
    .filter((text) => text.length > 3 && !text.startsWith('#'))
    .filter((_, index) => index % 2 === 0)
    .map((text, index) => ({
      text: disguise(text, false, random),
      order: null,
      kind: 'said',
      source: `${file} ${index}`,
    }));
}
