import { ApiError } from '../../contract/errors.ts';
import { appendBlock, type ConfigFormat, lineEndingOf, type TextEdit } from './format.ts';

export const startMarker = '<!-- mneme:start -->';
const endMarker = '<!-- mneme:end -->';

/** Instructions for agents, in a section between two markers; its `text` is the entry. */
export const markdown: ConfigFormat = {
  title: 'Markdown',
  read: (text) => {
    const span = findSection(text);
    if (span === null) return { rest: text.trim() };
    const rest = text.slice(0, span.offset) + text.slice(span.offset + span.length);
    const part = text.slice(span.offset, span.offset + span.length);
    return { rest: rest.trim(), mneme: { text: sectionText(part) } };
  },
  put: (text, _, entry) => {
    const part = `${startMarker}\n${String(entry.text)}\n${endMarker}`;
    const span = findSection(text);
    if (span === null) return [appendBlock(text, `${part}\n`)];
    return [{ ...span, text: part.replaceAll('\n', lineEndingOf(text)) }];
  },
  remove: (text) => {
    const span = findSection(text);
    if (span === null) return [];
    const before = text.slice(0, span.offset).trimEnd();
    const from = before === '' ? 0 : before.length + lineEndingOf(text).length;
    const to = span.offset + span.length;
    return [{ offset: from, length: to - from + lineEndLength(text, to), text: '' }];
  },
};

function findSection(text: string): TextEdit | null {
  const from = text.indexOf(startMarker);
  const to = text.indexOf(endMarker, from + 1);
  if (from === -1 && to === -1) return null;
  if (from === -1 || to < from || text.includes(startMarker, from + 1)) {
    throw new ApiError('conflict', `the markers ${startMarker} and ${endMarker} are not a pair`);
  }
  return { offset: from, length: to + endMarker.length - from, text: '' };
}

function sectionText(part: string): string {
  return part.slice(startMarker.length, -endMarker.length).replaceAll('\r\n', '\n').trim();
}

function lineEndLength(text: string, offset: number): number {
  return /^\r?\n/.exec(text.slice(offset, offset + 2))?.[0].length ?? 0;
}
