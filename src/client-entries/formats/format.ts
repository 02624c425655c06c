/** An entry in a client's file. */
export type ServerEntry = Record<string, unknown>;

/** Replaces `length` characters at `offset`; edits of one text do not overlap. */
export type TextEdit = { offset: number; length: number; text: string };

/** The position of an entry: below `keys`, under its name or as an item of a list. */
export type Slot = { keys: readonly string[]; name: string; list: boolean };

/** Reads one file format, and changes a single entry in its text. */
export type ConfigFormat = {
  /** Its name, for people. */
  title: string;
  /** The data in the text; null when it is empty. Throws `ConfigSyntaxError`. */
  read(text: string): unknown;
  /** Adds the entry, or replaces the existing one. */
  put(text: string, slot: Slot, entry: ServerEntry): TextEdit[];
  remove(text: string, slot: Slot): TextEdit[];
};

export type ConfigFormatName = 'json' | 'toml' | 'yaml' | 'markdown';

/** The text has a syntax error, so its client cannot read it either. */
export class ConfigSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, at: { line: number; column: number }) {
    super(message);
    this.name = 'SyntaxProblem';
    this.line = at.line;
    this.column = at.column;
  }
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const last = [...edits].sort((a, b) => b.offset - a.offset);
  return last.reduce(
    (result, { offset, length, text: inserted }) =>
      result.slice(0, offset) + inserted + result.slice(offset + length),
    text,
  );
}

/** The line ending of a text, for inserted lines. */
export function lineEndingOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The indentation of the line at this offset. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}

/** Appends a block of lines, after an empty line unless the text is empty. */
export function appendBlock(text: string, block: string): TextEdit {
  const end = lineEndingOf(text);
  const gap = text.trim() === '' ? '' : /\n$/.test(text) ? end : end + end;
  return { offset: text.length, length: 0, text: gap + block.replaceAll('\n', end) };
}

/** Removes a range, with its whole lines when nothing else is on them. */
export function removeLines(text: string, from: number, to: number): TextEdit {
  const before = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  const after = /^[^\n]*/.exec(text.slice(to))?.[0] ?? '';
  if (before.trim() !== '' || after.trim() !== '') {
    return { offset: from, length: to - from, text: '' };
  }
  const start = from - before.length;
  const end = Math.min(to + after.length + 1, text.length);
  return { offset: start, length: end - start, text: '' };
}

export function isServerEntry(value: unknown): value is ServerEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
