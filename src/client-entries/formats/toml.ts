import { parse, stringify, TomlError } from 'smol-toml';
import {
  appendBlock,
  type ConfigFormat,
  ConfigSyntaxError,
  lineEndingOf,
  type ServerEntry,
  type Slot,
  type TextEdit,
} from './format.ts';

/** TOML. The entry is a table with its subtables; everything else stays unchanged. */
export const toml: ConfigFormat = {
  title: 'TOML',
  read: (text) => (text.trim() === '' ? null : parseToml(text)),
  put: (text, { keys, name }, entry) => {
    const table = stringify(
      keys.reduceRight<ServerEntry>((inner, key) => ({ [key]: inner }), {
        [name]: entry,
      }),
    );
    const [first, ...others] = findBlocks(text, [...keys, name]);
    if (first === undefined) return [appendBlock(text, table)];
    const content = table.replaceAll('\n', lineEndingOf(text));
    return [{ ...first, text: content }, ...others];
  },
  remove: (text, { keys, name }) =>
    findBlocks(text, [...keys, name]).map((block) => removeWithGap(text, block)),
};

function parseToml(text: string): Record<string, unknown> {
  try {
    // Numbers too large for JavaScript must not make a file unreadable. The clone has plain
    // objects, like the data that it is compared with.
    return structuredClone(parse(text, { integersAsBigInt: 'asNeeded' }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new ConfigSyntaxError(message, error);
  }
}

/** The lines of a table and its subtables, up to the last value. */
function findBlocks(text: string, path: Slot['keys']): TextEdit[] {
  const own = headerPattern(path);
  const blocks: TextEdit[] = [];
  let block: TextEdit | null = null;
  let offset = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s*\[/.test(line)) block = own.test(line) ? openBlock(blocks, block, offset) : null;
    if (block !== null && !/^\s*(#|$)/.test(line)) {
      block.length = offset + line.length - block.offset;
    }
    offset += line.length;
  }
  return blocks;
}

function openBlock(blocks: TextEdit[], open: TextEdit | null, offset: number): TextEdit {
  if (open !== null) return open;
  const block = { offset, length: 0, text: '' };
  blocks.push(block);
  return block;
}

/** `[a.b]`, `["a".'b']`, `[ a . b . c ]`. */
function headerPattern(path: readonly string[]): RegExp {
  const names = path.map((key) => `(?:${key}|"${key}"|'${key}')`);
  return new RegExp(`^\\s*\\[\\s*${names.join('\\s*\\.\\s*')}\\s*[.\\]]`);
}

/** Removes the empty line before a table too. */
function removeWithGap(text: string, block: TextEdit): TextEdit {
  const gap = /(?<=\n)[ \t]*\r?\n$/.exec(text.slice(0, block.offset))?.[0].length ?? 0;
  return { ...block, offset: block.offset - gap, length: block.length + gap };
}
