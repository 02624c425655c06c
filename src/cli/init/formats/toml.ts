import { parse, stringify, TomlError } from 'smol-toml';
import type { Entry } from '../shape.ts';
import { appended, type Edit, type Format, lineEndOf, type Slot, SyntaxProblem } from './format.ts';

/**
 * TOML. The entry is a table of its own, with the tables below it; whatever else there is stays as
 * it is.
 */
export const toml: Format = {
  read: (text) => (text.trim() === '' ? null : tablesOf(text)),
  put: (text, { keys, name }, entry) => {
    const table = stringify(
      keys.reduceRight<Entry>((inner, key) => ({ [key]: inner }), {
        [name]: entry,
      }),
    );
    const [first, ...others] = blocksOf(text, [...keys, name]);
    if (first === undefined) return [appended(text, table)];
    const content = table.replaceAll('\n', lineEndOf(text));
    return [{ ...first, text: content }, ...others];
  },
  remove: (text, { keys, name }) =>
    blocksOf(text, [...keys, name]).map((block) => withoutGap(text, block)),
};

function tablesOf(text: string): Record<string, unknown> {
  try {
    // Numbers that JavaScript cannot hold are no reason to refuse a file.
    // The copy is made of plain objects, as those are that it is compared with.
    return structuredClone(parse(text, { integersAsBigInt: 'asNeeded' }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new SyntaxProblem(message, error);
  }
}

/** The lines of a table and of the tables below it, without what follows the last value. */
function blocksOf(text: string, path: Slot['keys']): Edit[] {
  const own = headerOf(path);
  const blocks: Edit[] = [];
  let block: Edit | null = null;
  let offset = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s*\[/.test(line)) block = own.test(line) ? startOf(blocks, block, offset) : null;
    if (block !== null && !/^\s*(#|$)/.test(line)) {
      block.length = offset + line.length - block.offset;
    }
    offset += line.length;
  }
  return blocks;
}

function startOf(blocks: Edit[], open: Edit | null, offset: number): Edit {
  if (open !== null) return open;
  const block = { offset, length: 0, text: '' };
  blocks.push(block);
  return block;
}

/** `[a.b]`, `["a".'b']`, `[ a . b . c ]`. */
function headerOf(path: readonly string[]): RegExp {
  const names = path.map((key) => `(?:${key}|"${key}"|'${key}')`);
  return new RegExp(`^\\s*\\[\\s*${names.join('\\s*\\.\\s*')}\\s*[.\\]]`);
}

/** The empty line before a table goes with it. */
function withoutGap(text: string, block: Edit): Edit {
  const gap = /(?<=\n)[ \t]*\r?\n$/.exec(text.slice(0, block.offset))?.[0].length ?? 0;
  return { ...block, offset: block.offset - gap, length: block.length + gap };
}
