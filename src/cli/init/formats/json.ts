import { evaluate, type MemberNode, type ObjectNode, parse } from '@humanwhocodes/momoa';
import { ApiError } from '../../../contract/errors.ts';
import {
  cutLines,
  type Edit,
  type Format,
  indentAt,
  lineEndOf,
  type Slot,
  SyntaxProblem,
} from './format.ts';

/** JSON, with the comments and trailing commas that most clients allow. */
export const json: Format = {
  read: (text) => {
    if (isBlank(text)) return null;
    return evaluate(documentOf(text));
  },
  put: (text, { keys, name }, entry) => {
    const path = [...keys, name];
    if (isBlank(text)) return [firstContent(text, nested(path, entry))];
    return putAt(rootOf(text), { text, path, value: entry });
  },
  remove: (text, slot) => {
    const found = findMember(text, slot);
    return found === null ? [] : cutMember(text, found);
  },
};

function documentOf(text: string) {
  try {
    return parse(text, { mode: 'jsonc', ranges: true, allowTrailingCommas: true });
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError('conflict', 'it is nested too deeply');
    if (!(error instanceof Error && 'line' in error && 'column' in error)) throw error;
    const message = error.message.replace(/ \(\d+:\d+\)$/, '').replace(/\.$/, '');
    throw new SyntaxProblem(message, { line: Number(error.line), column: Number(error.column) });
  }
}

/** Nothing but white space and comments. */
function isBlank(text: string): boolean {
  return skipped(text, 0) === text.length;
}

function firstContent(text: string, value: unknown): Edit {
  const end = lineEndOf(text);
  const content = written(value, { unit: '  ', end, indent: '' }) + end;
  if (text.trim() === '') return { offset: 0, length: text.length, text: content };
  return { offset: text.length, length: 0, text: (text.endsWith('\n') ? '' : end) + content };
}

function rootOf(text: string): ObjectNode {
  const { body } = documentOf(text);
  if (body.type === 'Object') return body;
  throw new ApiError('conflict', 'it holds no JSON object');
}

type Put = { text: string; path: readonly string[]; value: unknown };

function putAt(object: ObjectNode, { text, path, value }: Put): Edit[] {
  const [key = '', ...rest] = path;
  const member = memberOf(object, key);
  if (member === undefined) return insert(object, { text, key, value: nested(rest, value) });
  const isEmpty = member.value.type === 'Null';
  if (rest.length === 0 || isEmpty) {
    const layout = layoutOf(text, member.value.loc.start.offset);
    return [replace(member, written(nested(rest, value), layout))];
  }
  if (member.value.type === 'Object') return putAt(member.value, { text, path: rest, value });
  throw new ApiError('conflict', `${JSON.stringify(key)} is no object there`);
}

/** Of members with the same name, readers take the last. */
function memberOf({ members }: ObjectNode, key: string): MemberNode | undefined {
  return members.findLast(({ name }) => name.type === 'String' && name.value === key);
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function replace({ value }: MemberNode, text: string): Edit {
  const { offset } = value.loc.start;
  return { offset, length: value.loc.end.offset - offset, text };
}

type Insert = { text: string; key: string; value: unknown };

/** After the last member, and after a comment that belongs to it. */
function insert(object: ObjectNode, { text, key, value }: Insert): Edit[] {
  const { start, end } = spanOf(object);
  const last = object.members.at(-1);
  const layout = layoutOf(text, last ? spanOf(last).start : start);
  const name = `${JSON.stringify(key)}:`;
  if (last === undefined) return [intoEmpty({ text, start, end, name, value })];
  const after = spanOf(last).end;
  const comma = commaAfter(text, after);
  const place = skipped(text, comma ?? after, { sameLine: true });
  const isOneLine = !text.slice(place, end).includes('\n');
  const missing = comma === null ? [{ offset: after, length: 0, text: ',' }] : [];
  const trailing = comma === null ? '' : ',';
  if (isOneLine) {
    const space = /[:,]\s/.test(text) ? ' ' : '';
    const added = `${space}${name}${space}${oneLine(value, space)}${trailing}`;
    return merged([...missing, { offset: place, length: 0, text: added }]);
  }
  const line = layout.end + layout.indent;
  const added = `${line}${name} ${written(value, layout)}${trailing}`;
  return merged([...missing, { offset: place, length: 0, text: added }]);
}

type IntoEmpty = { text: string; start: number; end: number; name: string; value: unknown };

/** Comments inside stay where they are, before the first member. */
function intoEmpty({ text, start, end, name, value }: IntoEmpty): Edit {
  const { unit, end: lineEnd } = layoutOf(text, start);
  const outer = indentAt(text, start);
  const inner = text.slice(start + 1, end - 1);
  const layout = { unit, end: lineEnd, indent: outer + unit };
  const member = `${lineEnd}${layout.indent}${name} ${written(value, layout)}${lineEnd}${outer}`;
  const content = inner.trimEnd();
  return {
    offset: start + 1 + content.length,
    length: inner.length - content.length,
    text: member,
  };
}

/** Two insertions at one place become one, because their order would be lost. */
function merged(edits: Edit[]): Edit[] {
  const [first, second] = edits;
  if (first === undefined || second === undefined || first.offset !== second.offset) return edits;
  return [{ offset: first.offset, length: 0, text: first.text + second.text }];
}

type Layout = { unit: string; end: string; indent: string };

/** How the text is laid out, as far as one can see. */
function layoutOf(text: string, offset: number): Layout {
  const unit = /\n([ \t]+)["}\]]/.exec(text)?.[1] ?? '  ';
  const step = unit.startsWith('\t') ? '\t' : unit;
  return { unit: step, end: lineEndOf(text), indent: indentAt(text, offset) };
}

function written(value: unknown, { unit, end, indent }: Layout): string {
  const lines = JSON.stringify(value, null, unit).replace(textLists, (list) => {
    const line = list.replace(/\n\s*/g, ' ').replace(/^\[ | \]$/g, (edge) => edge.trim());
    return line.length <= listColumnsMax ? line : list;
  });
  return lines.replaceAll('\n', end + indent);
}

/** Lists of texts, whose line ends are never inside a text. */
const textLists = /\[\n\s*"(?:[^"\\\n]|\\.)*"(?:,\n\s*"(?:[^"\\\n]|\\.)*")*\n\s*\]/g;

/** Arguments on one line, as people write them, unless they are long. */
const listColumnsMax = 60;

function oneLine(value: unknown, space: string): string {
  if (space === '') return JSON.stringify(value);
  const lines = JSON.stringify(value, null, 1).split('\n');
  return lines.map((line) => line.trim()).join(' ');
}

type Found = { object: ObjectNode; member: MemberNode };

function findMember(text: string, { keys, name }: Slot): Found | null {
  if (isBlank(text)) return null;
  let object = rootOf(text);
  for (const key of keys) {
    const value = memberOf(object, key)?.value;
    if (value?.type !== 'Object') return null;
    object = value;
  }
  const member = memberOf(object, name);
  return member === undefined ? null : { object, member };
}

/** Takes away the member and one comma; comments around it stay. */
function cutMember(text: string, { object, member }: Found): Edit[] {
  const { start, end } = spanOf(member);
  const comma = commaAfter(text, end);
  const previous = object.members[object.members.indexOf(member) - 1];
  if (comma !== null) {
    const isNext = text.slice(end, comma - 1).trim() === '';
    if (isNext) return [tidied(text, start, comma)];
    return [cutLines(text, start, end), { offset: comma - 1, length: 1, text: '' }];
  }
  if (previous === undefined) return [tidied(text, start, end)];
  const before = commaAfter(text, spanOf(previous).end) ?? start;
  if (text.slice(before, start).trim() === '' && !text.slice(before, start).includes('\n')) {
    return [{ offset: before - 1, length: end - before + 1, text: '' }];
  }
  return [{ offset: before - 1, length: 1, text: '' }, cutLines(text, start, end)];
}

/** On a line with others the space after it goes too. */
function tidied(text: string, from: number, to: number): Edit {
  const cut = cutLines(text, from, to);
  const space = cut.length === to - from && text[to] === ' ' ? 1 : 0;
  return { ...cut, length: cut.length + space };
}

function spanOf({ loc }: ObjectNode | MemberNode): { start: number; end: number } {
  return { start: loc.start.offset, end: loc.end.offset };
}

/** The place after the comma that follows, comments aside; null when there is none. */
function commaAfter(text: string, offset: number): number | null {
  const next = skipped(text, offset);
  return text[next] === ',' ? next + 1 : null;
}

/**
 * The place after white space and comments. On the same line, where comments belong to what stands
 * before them, it is the end of the last one.
 */
function skipped(text: string, offset: number, { sameLine = false } = {}): number {
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
