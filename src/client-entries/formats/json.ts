import { evaluate, type MemberNode, type ObjectNode, parse } from '@humanwhocodes/momoa';
import { ApiError } from '../../contract/errors.ts';
import {
  type ConfigFormat,
  ConfigSyntaxError,
  indentAt,
  lineEndingOf,
  removeLines,
  type Slot,
  type TextEdit,
} from './format.ts';

/** JSON, with the comments and trailing commas that most clients allow. */
export const json: ConfigFormat = {
  title: 'JSON',
  read: (text) => {
    if (isBlank(text)) return null;
    return evaluate(parseJsonc(text));
  },
  put: (text, { keys, name }, entry) => putJson(text, [...keys, name], entry),
  remove: (text, slot) => {
    const member = findMember(text, slot);
    return member === null ? [] : removeMember(text, member);
  },
};

/** Sets the value at a path of keys. */
export function putJson(text: string, path: readonly string[], value: unknown): TextEdit[] {
  if (isBlank(text)) return [initialContent(text, wrapInKeys(path, value))];
  return setMember(rootObject(text), { text, path, value });
}

function parseJsonc(text: string) {
  try {
    return parse(text, { mode: 'jsonc', ranges: true, allowTrailingCommas: true });
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError('conflict', 'it is nested too deeply');
    if (!(error instanceof Error && 'line' in error && 'column' in error)) throw error;
    const [line, column] = [Number(error.line), Number(error.column)];
    const rest = text
      .split('\n')
      .slice(line - 1)
      .join('\n')
      .slice(column - 1);
    throw new ConfigSyntaxError(describeProblem(error.message, rest), { line, column });
  }
}

/** The parser's message (`Unexpected token RBrace found. (3:7)`) as people would put it. */
function describeProblem(message: string, rest: string): string {
  const token = /^Unexpected (?:token )?(.+) found\./.exec(message)?.[1];
  if (token === undefined) return message.replace(/ \(\d+:\d+\)$/, '').replace(/\.$/, '');
  const isCutOff = /^[{[,:]\s*$/.test(rest);
  if (isCutOff || token === 'end of input') return 'the file ends too early';
  return `unexpected ${tokenNames[token] ?? token}`;
}

const tokenNames: Readonly<Record<string, string>> = {
  LBrace: '"{"',
  RBrace: '"}"',
  LBracket: '"["',
  RBracket: '"]"',
  Comma: '","',
  Colon: '":"',
  String: 'text',
  Number: 'number',
  Boolean: 'true or false',
  Null: 'null',
};

/** Only white space and comments. */
function isBlank(text: string): boolean {
  return skipBlank(text, 0) === text.length;
}

function initialContent(text: string, value: unknown): TextEdit {
  const end = lineEndingOf(text);
  const content = formatJson(value, { unit: '  ', end, indent: '' }) + end;
  if (text.trim() === '') return { offset: 0, length: text.length, text: content };
  return { offset: text.length, length: 0, text: (text.endsWith('\n') ? '' : end) + content };
}

function rootObject(text: string): ObjectNode {
  const { body } = parseJsonc(text);
  if (body.type === 'Object') return body;
  throw new ApiError('conflict', 'it does not hold a JSON object');
}

type JsonPlacement = { text: string; path: readonly string[]; value: unknown };

function setMember(object: ObjectNode, { text, path, value }: JsonPlacement): TextEdit[] {
  const [key = '', ...rest] = path;
  const member = findLastMember(object, key);
  if (member === undefined)
    return insertMember(object, { text, key, value: wrapInKeys(rest, value) });
  const isEmpty = member.value.type === 'Null';
  if (rest.length === 0 || isEmpty) {
    const layout = detectLayout(text, member.value.loc.start.offset);
    return [replaceValue(member, formatJson(wrapInKeys(rest, value), layout))];
  }
  if (member.value.type === 'Object') return setMember(member.value, { text, path: rest, value });
  throw new ApiError('conflict', `${JSON.stringify(key)} is not an object`);
}

/** Parsers use the last of several members with the same name. */
function findLastMember({ members }: ObjectNode, key: string): MemberNode | undefined {
  return members.findLast(({ name }) => name.type === 'String' && name.value === key);
}

function wrapInKeys(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function replaceValue({ value }: MemberNode, text: string): TextEdit {
  const { offset } = value.loc.start;
  return { offset, length: value.loc.end.offset - offset, text };
}

type MemberInsertion = { text: string; key: string; value: unknown };

/** Inserts after the last member and the comment that belongs to it. */
function insertMember(object: ObjectNode, { text, key, value }: MemberInsertion): TextEdit[] {
  const { start, end } = rangeOf(object);
  const last = object.members.at(-1);
  const layout = detectLayout(text, last ? rangeOf(last).start : start);
  const name = `${JSON.stringify(key)}:`;
  if (last === undefined) return [insertIntoEmpty({ text, start, end, name, value })];
  const after = rangeOf(last).end;
  const comma = commaAfter(text, after);
  const valueStart = skipBlank(text, comma ?? after, { sameLine: true });
  const isOneLine = !text.slice(valueStart, end).includes('\n');
  const missing = comma === null ? [{ offset: after, length: 0, text: ',' }] : [];
  const trailing = comma === null ? '' : ',';
  if (isOneLine) {
    const space = /[:,]\s/.test(text) ? ' ' : '';
    const added = `${space}${name}${space}${formatJsonOneLine(value, space)}${trailing}`;
    return mergeInsertions([...missing, { offset: valueStart, length: 0, text: added }]);
  }
  const line = layout.end + layout.indent;
  const added = `${line}${name} ${formatJson(value, layout)}${trailing}`;
  return mergeInsertions([...missing, { offset: valueStart, length: 0, text: added }]);
}

type EmptyInsertion = { text: string; start: number; end: number; name: string; value: unknown };

/** Comments inside stay where they are, before the first member. */
function insertIntoEmpty({ text, start, end, name, value }: EmptyInsertion): TextEdit {
  const { unit, end: lineEnd } = detectLayout(text, start);
  const outer = indentAt(text, start);
  const inner = text.slice(start + 1, end - 1);
  const layout = { unit, end: lineEnd, indent: outer + unit };
  const member = `${lineEnd}${layout.indent}${name} ${formatJson(value, layout)}${lineEnd}${outer}`;
  const content = inner.trimEnd();
  return {
    offset: start + 1 + content.length,
    length: inner.length - content.length,
    text: member,
  };
}

/** Two insertions at one place become one, because their order would be lost. */
function mergeInsertions(edits: TextEdit[]): TextEdit[] {
  const [first, second] = edits;
  if (first === undefined || second === undefined || first.offset !== second.offset) return edits;
  return [{ offset: first.offset, length: 0, text: first.text + second.text }];
}

type Layout = { unit: string; end: string; indent: string };

/** The layout of the text; two spaces and `\n` if none can be detected. */
function detectLayout(text: string, offset: number): Layout {
  const unit = /\n([ \t]+)["}\]]/.exec(text)?.[1] ?? '  ';
  const step = unit.startsWith('\t') ? '\t' : unit;
  return { unit: step, end: lineEndingOf(text), indent: indentAt(text, offset) };
}

function formatJson(value: unknown, { unit, end, indent }: Layout): string {
  const lines = JSON.stringify(value, null, unit).replace(textLists, (list) => {
    const line = list.replace(/\n\s*/g, ' ').replace(/^\[ | \]$/g, (edge) => edge.trim());
    return line.length <= listColumnsMax ? line : list;
  });
  return lines.replaceAll('\n', end + indent);
}

/** Lists of strings; a JSON string never contains a raw line end. */
const textLists = /\[\n\s*"(?:[^"\\\n]|\\.)*"(?:,\n\s*"(?:[^"\\\n]|\\.)*")*\n\s*\]/g;

/** Arguments on one line, as people write them, unless they are long. */
const listColumnsMax = 60;

function formatJsonOneLine(value: unknown, space: string): string {
  if (space === '') return JSON.stringify(value);
  const lines = JSON.stringify(value, null, 1).split('\n');
  return lines.map((line) => line.trim()).join(' ');
}

type MemberLocation = { object: ObjectNode; member: MemberNode };

function findMember(text: string, { keys, name }: Slot): MemberLocation | null {
  if (isBlank(text)) return null;
  let object = rootObject(text);
  for (const key of keys) {
    const value = findLastMember(object, key)?.value;
    if (value?.type !== 'Object') return null;
    object = value;
  }
  const member = findLastMember(object, name);
  return member === undefined ? null : { object, member };
}

/** Removes the member and one comma; comments around it stay. */
function removeMember(text: string, { object, member }: MemberLocation): TextEdit[] {
  const { start, end } = rangeOf(member);
  const comma = commaAfter(text, end);
  const previous = object.members[object.members.indexOf(member) - 1];
  if (comma !== null) {
    const isNext = text.slice(end, comma - 1).trim() === '';
    if (isNext) return [removeWithSpace(text, start, comma)];
    return [removeLines(text, start, end), { offset: comma - 1, length: 1, text: '' }];
  }
  if (previous === undefined) return [removeWithSpace(text, start, end)];
  const before = commaAfter(text, rangeOf(previous).end) ?? start;
  if (text.slice(before, start).trim() === '' && !text.slice(before, start).includes('\n')) {
    return [{ offset: before - 1, length: end - before + 1, text: '' }];
  }
  return [{ offset: before - 1, length: 1, text: '' }, removeLines(text, start, end)];
}

/** Also removes the space after it when the line has other content. */
function removeWithSpace(text: string, from: number, to: number): TextEdit {
  const cut = removeLines(text, from, to);
  const space = cut.length === to - from && text[to] === ' ' ? 1 : 0;
  return { ...cut, length: cut.length + space };
}

function rangeOf({ loc }: ObjectNode | MemberNode): { start: number; end: number } {
  return { start: loc.start.offset, end: loc.end.offset };
}

/** The offset after the next comma, ignoring comments; null when there is none. */
function commaAfter(text: string, offset: number): number | null {
  const next = skipBlank(text, offset);
  return text[next] === ',' ? next + 1 : null;
}

/**
 * The offset after white space and comments. With `sameLine`, comments on the same line belong to
 * the text before them, and the result is the end of the last one.
 */
function skipBlank(text: string, offset: number, { sameLine = false } = {}): number {
  const space = sameLine ? /[ \t]*/y : /\s*/y;
  for (let at = offset; ; ) {
    space.lastIndex = at;
    const next = at + (space.exec(text)?.[0].length ?? 0);
    const end = endOfComment(text, next);
    if (end === null) return sameLine ? at : next;
    at = end;
  }
}

function endOfComment(text: string, offset: number): number | null {
  if (text.startsWith('//', offset)) {
    const line = /[^\r\n]*/y;
    line.lastIndex = offset;
    return offset + (line.exec(text)?.[0].length ?? 0);
  }
  const end = text.startsWith('/*', offset) ? text.indexOf('*/', offset + 2) : -1;
  return end === -1 ? null : end + 2;
}
