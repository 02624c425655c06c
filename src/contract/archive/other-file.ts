import { isObject } from '../is-object.ts';
import { isGraphLine } from './server-memory-line.ts';

/** What a JSON value looks like that is not what a command reads; null for what nobody knows. */
export function describeOtherFile(value: unknown): string | null {
  const [first]: unknown[] = Array.isArray(value) ? value : [value];
  if (isGraphLine(first) || isBareGraphLine(first)) return 'a server-memory file';
  if (!isObject(first)) return null;
  if (first.mneme === 'export') return 'an export of mneme';
  if (Array.isArray(first.entities)) return 'the whole graph of server-memory';
  if (isObject(first.mapping)) return 'conversations of ChatGPT';
  if (Array.isArray(first.chat_messages)) return 'conversations of Claude';
  if (typeof first.header === 'string' && 'time' in first) return 'activities of Google';
  if ('conversations_memory' in first) return 'the memory of Claude';
  return Array.isArray(first.messages) || ('role' in first && 'content' in first)
    ? 'conversations'
    : null;
}

/** Lists and graphs leave out `type`: where an entity stands says what it is. */
export function isBareGraphLine(value: unknown): boolean {
  if (!isObject(value)) return false;
  return ('name' in value && 'entityType' in value) || ('relationType' in value && 'from' in value);
}

/** The lines of a graph that is one JSON value; none unless all that is there belongs to it. */
export function graphLinesIn(value: unknown): unknown[] {
  const parts =
    isObject(value) && Array.isArray(value.entities)
      ? [value.entities, Array.isArray(value.relations) ? value.relations : []].flat()
      : value;
  if (!Array.isArray(parts)) return [];
  const isGraph = parts.every((part) => isGraphLine(part) || isBareGraphLine(part));
  return isGraph ? parts.map(typed) : [];
}

function typed(part: unknown): unknown {
  if (isGraphLine(part) || !isObject(part)) return part;
  return { type: 'relationType' in part ? 'relation' : 'entity', ...part };
}
