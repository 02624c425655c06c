import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { ApiError } from '../../contract/errors.ts';
import {
  appendBlock,
  type ConfigFormat,
  ConfigSyntaxError,
  indentAt,
  lineEndingOf,
  removeLines,
  type ServerEntry,
  type Slot,
  type TextEdit,
} from './format.ts';

/** YAML, edited as text: printing the parsed document would change its layout. */
export const yaml: ConfigFormat = {
  title: 'YAML',
  read: (text) => parseYaml(text).toJS(),
  put: (text, slot, entry) => {
    const document = parseYaml(text);
    const present = findEntry(document, slot);
    if (present !== null) return [replaceEntry(text, present, { slot, entry })];
    const servers = findServers(document, slot);
    if (servers === null)
      return [appendBlock(text, toYaml({ [serversKey(slot)]: entryContent(slot, entry) }))];
    return [insertEntry(text, servers, { slot, entry })];
  },
  remove: (text, slot) => {
    const found = findEntry(parseYaml(text), slot);
    return found === null ? [] : [removeEntry(text, found)];
  },
};

type YamlPlacement = { slot: Slot; entry: ServerEntry };

function parseYaml(text: string): Document.Parsed {
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem === undefined) return document;
  const [{ line = 1, col: column = 1 } = {}] = problem.linePos ?? [];
  const [message = ''] = problem.message.split('\n');
  throw new ConfigSyntaxError(message.replace(/ at line \d+, column \d+:$/, ''), { line, column });
}

/** Clients with YAML files have a single key that leads to the servers. */
function serversKey({ keys }: Slot): string {
  return keys[0] ?? '';
}

function entryContent({ list, name }: Slot, entry: ServerEntry): unknown {
  return list ? [entry] : { [name]: entry };
}

function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}

type ServersNode = { pair: Pair<Node, Node | null>; value: Node | null };

function findServers(document: Document.Parsed, slot: Slot): ServersNode | null {
  const root = document.contents;
  if (root === null) return null;
  if (!isMap(root) || root.flow) throw new ApiError('conflict', 'it is not a block of keys');
  const pair = findPair(root, serversKey(slot));
  return pair === null ? null : { pair, value: pair.value };
}

function findPair(map: YAMLMap, name: string): Pair<Node, Node | null> | null {
  const pairs = map.items as Pair<Node, Node | null>[]; // Parsed documents hold nodes only.
  return pairs.find((pair) => isScalar(pair.key) && pair.key.value === name) ?? null;
}

/** The range of an entry: from its key, or the text after its dash, to its end. */
type EntryRange = { from: number; to: number; flow: boolean };

function findEntry(document: Document.Parsed, slot: Slot): EntryRange | null {
  const servers = findServers(document, slot)?.value ?? null;
  if (slot.list) {
    if (!isSeq(servers)) return null;
    const item = (servers as YAMLSeq<Node>).items.find(
      (node) => isMap(node) && node.get('name') === slot.name,
    );
    return item === undefined ? null : entryRange(item, item, servers.flow === true);
  }
  const pair = isMap(servers) ? findPair(servers, slot.name) : null;
  if (pair === null || !isMap(servers)) return null;
  return entryRange(pair.key, pair.value ?? pair.key, servers.flow === true);
}

function entryRange(first: Node, last: Node, flow: boolean): EntryRange {
  return { from: first.range?.[0] ?? 0, to: last.range?.[1] ?? 0, flow };
}

function replaceEntry(
  text: string,
  { from, to, flow }: EntryRange,
  { slot, entry }: YamlPlacement,
): TextEdit {
  if (flow) {
    const written = slot.list ? JSON.stringify(entry) : flowPair(slot, entry);
    return { offset: from, length: to - from, text: written };
  }
  const indent = ' '.repeat(columnOf(text, from));
  const lines = indentLines(toYaml(slot.list ? entry : { [slot.name]: entry }), indent, text);
  const rest = text.slice(from, to).endsWith('\n') ? lineEndingOf(text) : '';
  return { offset: from, length: to - from, text: lines.trim() + rest };
}

function insertEntry(text: string, { pair, value }: ServersNode, put: YamlPlacement): TextEdit {
  const { slot, entry } = put;
  const items = isMap(value) || isSeq(value) ? value : null;
  const isEmpty = items === null ? isNullNode(value) : items.items.length === 0;
  if (!isEmpty && (items === null || (slot.list ? !isSeq(items) : !isMap(items)))) {
    const what = slot.list ? 'list' : 'block of keys';
    throw new ApiError('conflict', `${serversKey(slot)} is not a ${what}`);
  }
  if (isEmpty) return insertIntoEmpty(text, pair, put);
  if (items?.flow) {
    const at = text.lastIndexOf(slot.list ? ']' : '}', (items.range?.[1] ?? 0) - 1);
    const comma = /,\s*$/.test(text.slice(0, at)) ? ' ' : ', ';
    const written = slot.list ? JSON.stringify(entry) : flowPair(slot, entry);
    return { offset: at, length: 0, text: comma + written };
  }
  return appendAfterLast(text, items?.range ?? [0, 0, 0], put);
}

function isNullNode(value: Node | null): boolean {
  return value === null || (isScalar(value) && value.value === null);
}

/** `servers:`, `servers: {}`, `servers: ~`: replaces the value and keeps a comment after it. */
function insertIntoEmpty(
  text: string,
  pair: ServersNode['pair'],
  { slot, entry }: YamlPlacement,
): TextEdit {
  const from = pair.key.range?.[1] ?? 0;
  const [start, end] = pair.value?.range ?? [0, 0];
  const to = end > start ? end : text.indexOf(':', from) + 1;
  const lineEnd = text.indexOf('\n', to);
  const rest = text.slice(to, lineEnd === -1 ? text.length : lineEnd).trimEnd();
  const indent = `${indentAt(text, from)}  `;
  const lines = indentLines(toYaml(entryContent(slot, entry)), indent, text).trimEnd();
  const added = `:${rest}${lineEndingOf(text)}${indent}${lines.trimStart()}`;
  return { offset: from, length: to + rest.length - from, text: added };
}

/** Appends after the last item, with the same layout. */
function appendAfterLast(
  text: string,
  [start, end]: [number, number, number],
  put: YamlPlacement,
): TextEdit {
  const indent = ' '.repeat(columnOf(text, start));
  const { slot, entry } = put;
  const block = indentLines(toYaml(entryContent(slot, entry)), indent, text);
  const lineEnd = lineEndingOf(text);
  if (text[end - 1] === '\n') return { offset: end, length: 0, text: indent + block };
  const next = text.indexOf('\n', end);
  if (next !== -1) return { offset: next + 1, length: 0, text: indent + block };
  return { offset: text.length, length: 0, text: lineEnd + indent + block };
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Indents all lines except the first. */
function indentLines(block: string, indent: string, text: string): string {
  return block.replaceAll(/\n(?=.)/g, `\n${indent}`).replaceAll('\n', lineEndingOf(text));
}

function flowPair({ name }: Slot, entry: ServerEntry): string {
  return `${JSON.stringify(name)}: ${JSON.stringify(entry)}`;
}

/** Also removes the dash of an item, or the comma in a flow collection. */
function removeEntry(text: string, { from, to, flow }: EntryRange): TextEdit {
  if (flow) {
    const before = /,\s*$/.exec(text.slice(0, from))?.[0].length ?? 0;
    const after = before > 0 ? 0 : (/^\s*,\s*/.exec(text.slice(to))?.[0].length ?? 0);
    return { offset: from - before, length: to - from + before + after, text: '' };
  }
  const dash = /- *$/.exec(text.slice(0, from))?.[0].length ?? 0;
  const end = text[to - 1] === '\n' ? to - 1 : to;
  return removeLines(text, from - dash, end);
}
