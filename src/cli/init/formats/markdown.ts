import { ApiError } from '../../../contract/errors.ts';
import { appended, type Edit, type Format, lineEndOf } from './format.ts';

const start = '<!-- mneme:start -->';
const end = '<!-- mneme:end -->';

/** Instructions for agents, as a part between two markers; its `text` is the entry. */
export const markdown: Format = {
  read: (text) => {
    const span = spanOf(text);
    if (span === null) return { rest: text.trim() };
    const rest = text.slice(0, span.offset) + text.slice(span.offset + span.length);
    const part = text.slice(span.offset, span.offset + span.length);
    return { rest: rest.trim(), mneme: { text: partText(part) } };
  },
  put: (text, _, entry) => {
    const part = `${start}\n${String(entry.text)}\n${end}`;
    const span = spanOf(text);
    if (span === null) return [appended(text, `${part}\n`)];
    return [{ ...span, text: part.replaceAll('\n', lineEndOf(text)) }];
  },
  remove: (text) => {
    const span = spanOf(text);
    if (span === null) return [];
    const before = text.slice(0, span.offset).trimEnd();
    const from = before === '' ? 0 : before.length + lineEndOf(text).length;
    const to = span.offset + span.length;
    return [{ offset: from, length: to - from + lineEndAt(text, to), text: '' }];
  },
};

function spanOf(text: string): Edit | null {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from + 1);
  if (from === -1 && to === -1) return null;
  if (from === -1 || to < from || text.includes(start, from + 1)) {
    throw new ApiError('conflict', `it holds one of the markers ${start} and ${end} alone`);
  }
  return { offset: from, length: to + end.length - from, text: '' };
}

function partText(part: string): string {
  return part.slice(start.length, -end.length).replaceAll('\r\n', '\n').trim();
}

function lineEndAt(text: string, offset: number): number {
  return /^\r?\n/.exec(text.slice(offset, offset + 2))?.[0].length ?? 0;
}
