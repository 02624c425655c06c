import { type AST, RegExpParser } from '@eslint-community/regexpp';
import type { SourcePattern } from './collect-patterns.ts';

/** Makes a text of about this length. */
export type WorstCase = { name: string; textOf: (length: number) => string };

/**
 * Texts that may make a pattern slow, from its own words: each part that repeats, over and over,
 * after what must stand before it and before what cannot follow; and what nearly matches, over and
 * over.
 */
export function worstCasesOf({ source, flags }: SourcePattern): WorstCase[] {
  const isUnicode = flags.includes('u');
  const tree = new RegExpParser().parsePattern(source, undefined, undefined, isUnicode);
  const pick = charactersFor(flags);
  const loops = findLoops(tree, pick).slice(0, loopsMax);
  const wholes = tree.alternatives.slice(0, alternativesMax).flatMap((alternative) => {
    return [false, true].map((full) => sample(alternative, { pick, full }));
  });
  const words = new Set(listWords(tree, pick));
  const cases = new Map<string, WorstCase>();
  const add = (before: string, part: string, after: string) => {
    if (part === '') return;
    const name = [before, part, after].map((text) => JSON.stringify(text)).join(' + ');
    const textOf = (length: number) =>
      before + part.repeat(Math.max(1, Math.floor(length / part.length))) + after;
    if (cases.size < casesMax) cases.set(name, { name, textOf });
  };
  for (const { before, part } of loops) {
    for (const after of endings) {
      add(before, part, after);
      add('', before + part, after);
      add('', before + part.repeat(longRun), after);
    }
  }
  for (const whole of wholes) {
    for (const between of separators) add('', whole + between, '\0');
    add('', whole.slice(0, -1), '\0');
  }
  for (const word of words) for (const between of ['', ' ']) add('', word + between, '\0');
  return [...cases.values()];
}

const loopsMax = 24;
const alternativesMax = 6;
const casesMax = 120;
const wordsMax = 24;
const longRun = 40;
const separators = ['', ' ', '\n', '.', ',', ':', '"', '“'];
/** What ends a match, and what hardly any pattern allows. */
const endings = ['\0', '\n\0', '“'];

type Picked = (raw: string) => readonly string[];
type SampleOptions = { pick: Picked; full: boolean };

/** A text that the node matches; `full` with all that may be left out. */
function sample(node: AST.Element | AST.Alternative, options: SampleOptions): string {
  switch (node.type) {
    case 'Alternative':
      return node.elements.map((element) => sample(element, options)).join('');
    case 'Group':
    case 'CapturingGroup':
      return first(node.alternatives, options);
    case 'Quantifier': {
      const count = Math.max(node.min, options.full ? 1 : 0);
      return sample(node.element, options).repeat(Math.min(count, 64));
    }
    case 'Assertion':
      // What stands before is text as well; what follows is matched by what comes next.
      return node.kind === 'lookbehind' && !node.negate ? first(node.alternatives, options) : '';
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterSet':
    case 'CharacterClass':
      return options.pick(node.raw)[0] ?? '';
    default:
      return '';
  }
}

function first(alternatives: readonly AST.Alternative[], options: SampleOptions): string {
  const [alternative] = alternatives;
  return alternative === undefined ? '' : sample(alternative, options);
}

/** What repeats, and what must stand before it. */
type Loop = { before: string; part: string };

function findLoops(tree: AST.Pattern, pick: Picked): Loop[] {
  const loops: Loop[] = [];
  const visit = (node: AST.Element | AST.Alternative, before: string): void => {
    if (node.type === 'Alternative') {
      let prefix = before;
      for (const element of node.elements) {
        visit(element, prefix);
        prefix += sample(element, { pick, full: true });
      }
    } else if (node.type === 'Quantifier') {
      if (node.max >= 8)
        for (const part of partsOf(node.element, pick)) loops.push({ before, part });
      visit(node.element, before);
    } else if ('alternatives' in node) {
      for (const alternative of node.alternatives) {
        if ('elements' in alternative) visit(alternative, before);
      }
    }
  };
  for (const alternative of tree.alternatives) visit(alternative, '');
  return loops;
}

/** One of each kind of character that may repeat, or what a group may begin with. */
function partsOf(node: AST.QuantifiableElement, pick: Picked): string[] {
  if (node.type === 'CharacterSet' || node.type === 'CharacterClass') return [...pick(node.raw)];
  const options = [false, true].map((full) => sample(node, { pick, full }));
  const inner =
    'alternatives' in node
      ? node.alternatives.flatMap((one) =>
          'elements' in one ? [sample(one, { pick, full: true })] : [],
        )
      : [];
  return [...new Set([...options, ...inner])].slice(0, alternativesMax);
}

/** The words of all groups. */
function listWords(tree: AST.Pattern, pick: Picked): string[] {
  const words: string[] = [];
  const visit = (alternatives: readonly AST.Alternative[]): void => {
    for (const alternative of alternatives) {
      words.push(sample(alternative, { pick, full: true }));
      for (const element of alternative.elements) {
        const inner = element.type === 'Quantifier' ? element.element : element;
        if ('alternatives' in inner) visit(inner.alternatives as readonly AST.Alternative[]);
      }
    }
  };
  visit(tree.alternatives);
  const step = Math.max(1, Math.floor(words.length / wordsMax));
  return words.filter((_, index) => index % step === 0);
}

/** Characters of a class, one of each kind. */
function charactersFor(flags: string): Picked {
  const known = new Map<string, readonly string[]>();
  return (raw) => {
    const found = known.get(raw) ?? kinds.flatMap((kind) => firstOf(kind, raw, flags));
    known.set(raw, found);
    return found;
  };
}

function firstOf(kind: readonly string[], raw: string, flags: string): string[] {
  const pattern = new RegExp(`^(?:${raw})$`, flags.replace(/[gyd]/g, ''));
  return kind.filter((character) => pattern.test(character)).slice(0, 1);
}

const kinds: readonly (readonly string[])[] = [
  [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [...'0123456789'],
  [' ', '\t', '\n'],
  [...'.,;:!?-_\'"()[]{}<>/\\@#$%^&*+=|~`'],
  [...'éßñł“”‘’«»—–…：。'],
  [...'яїعא中文アひ한ไ'],
  ['\u0301', '\u200d', '🍵', '\u0000'],
];
