import type { CallToolResult } from '@modelcontextprotocol/server';
import { estimateTokens } from '../../contract/estimate-tokens.ts';
import { isObject } from '../../contract/is-object.ts';
import { isReadOnly } from '../../contract/operation.ts';
import { cleanText, oneLine } from '../../contract/schemas/text.ts';
import type { MemoryScope } from '../../contract/scope/memory-scope.ts';
import { withShortIds } from '../../contract/short-id.ts';
import { type DescribedFields, dataNotice, describeFields } from '../results/sections.ts';
import { formatItem, withIdsShortened } from '../results/text.ts';
import { truncateItems } from '../results/truncate.ts';
import { findView, itemsLabel, presentItem, type ResultItem } from '../results/views.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * Builds a result with the same facts in both channels, because some clients show the model only
 * one. Stored text is framed as data, and a truncated result says how to continue.
 */
export function presentResult(
  call: ToolCall,
  answer: ResultItem,
  hints: readonly string[] = [],
): CallToolResult {
  if (call.record.tool.text) return toTextResult(answer);
  const { kind, items, rest } = splitAnswer(answer);
  const isFull = isDetailed(call, kind);
  const views = items.map((item) => presentItem(item, { ...call, detailed: isFull }));
  // An explanation is asked for, and only programs read it.
  const { explanation: _, ...counted } = rest;
  const around = overheadTokens + estimateTokens(JSON.stringify([call.scope, counted]));
  const { query } = call.input;
  const question = typeof query === 'string' ? query : null;
  const budget = call.options.result_max_tokens - around;
  const { kept, cut } = truncateItems(views, budget, question);
  const notes = continuationNotes(call, { rest, total: views.length, kept: kept.length, cut });
  const facts =
    kind === 'item'
      ? { ...kept[0], ...messageOf(answer) }
      : { ...rest, ...(kind === 'list' && { results: kept }) };
  const tokensMax = call.options.result_max_tokens - overheadTokens;
  const description = describeFields(
    kind === 'item' ? {} : withoutSaid(counted),
    tokensMax,
    call.timezone,
  );
  return toToolResult({
    label: itemsLabel(call.record.operation.output),
    lead:
      kind === 'item'
        ? saidOf(answer)
        : leadText(withIdsShortened(rest), description, kind === 'list' ? kept.length : null),
    scope: call.scope,
    facts: facts ?? {},
    items: kept,
    extra: [...description.sections, ...relationsText(rest)],
    notes: [
      ...noteOf(rest),
      ...notes,
      ...(description.cut === null ? [] : [description.cut]),
      ...hints,
    ],
  });
}

/** A note about an item beside its fields, such as that nothing changed. */
function messageOf({ memory, message }: ResultItem): { message?: string } {
  return typeof memory === 'string' && typeof message === 'string' ? { message } : {};
}

function saidOf(answer: ResultItem): string {
  return withShortIds(messageOf(answer).message ?? '');
}

/** The text of an answer for models, and all of it for programs. */
function toTextResult(answer: ResultItem): CallToolResult {
  const answerText = typeof answer.text === 'string' ? cleanText(answer.text) : '';
  const text = answerText === '' ? nothingText : answerText;
  return { content: [{ type: 'text', text }], structuredContent: answer };
}

const nothingText = 'Nothing is remembered that answers this.';

/** The relations between entities, one after the other. */
function relationsText({ relations }: ResultItem): string[] {
  if (!Array.isArray(relations) || relations.length === 0) return [];
  const edges = relations.filter(isObject).map(({ source, relationship, target }) => {
    return oneLine(`${source} ${relationship} ${target}`);
  });
  return [`Relations (${dataNotice}): ${edges.join('; ')}`];
}

/** Room for the frame and the notes, in addition to items, scope and counts. */
const overheadTokens = 250;

/** The parts of a result, before they are written to both channels. */
export type ResultParts = {
  label: string | null;
  lead: string;
  scope: MemoryScope;
  facts: ResultItem;
  items: readonly ResultItem[];
  /** Lines after the items. */
  extra?: readonly string[];
  notes: readonly string[];
};

export function toToolResult({ extra = [], ...parts }: ResultParts): CallToolResult {
  const { label, lead, scope, facts, items, notes } = parts;
  const head = label === null ? oneLine(lead) : `${label} (${dataNotice}): ${oneLine(lead)}`.trim();
  const lines = [
    head,
    scopeText(scope),
    ...items.map((item, index) => formatItem(item, index + 1)),
    ...extra,
    ...notes,
  ];
  return {
    // A remote may hold names as they were sent.
    content: [{ type: 'text', text: cleanText(lines.filter((line) => line !== '').join('\n')) }],
    structuredContent: {
      ...(label !== null && { notice: `${label}: ${dataNotice}.` }),
      scope,
      ...facts,
      ...(notes.length > 0 && { note: notes.join(' ') }),
    },
  };
}

function scopeText(scope: MemoryScope): string {
  const ids = Object.entries(scope).map(([field, id]) => `${field} ${JSON.stringify(id)}`);
  return ids.length === 0 ? '' : oneLine(`Scope: ${ids.join(', ')}`);
}

/** A tool that reads one item shows all of it; a list does so on request. */
function isDetailed({ record, faceArguments }: ToolCall, kind: SplitAnswer['kind']): boolean {
  if (record.tool.formats) return faceArguments.response_format === 'detailed';
  return kind === 'item' && isReadOnly(record.operation);
}

type SplitAnswer = {
  kind: 'item' | 'list' | 'other';
  items: readonly unknown[];
  rest: ResultItem;
};

/** Splits an answer into its items and other fields; an answer can itself be the only item. */
function splitAnswer(answer: ResultItem): SplitAnswer {
  if (findView(answer) !== null) return { kind: 'item', items: [answer], rest: {} };
  const { results, ...rest } = answer;
  if (!Array.isArray(results)) return { kind: 'other', items: [], rest };
  return { kind: 'list', items: results, rest };
}

/** What was done or found, then the short values. */
function leadText(
  { message, total, page }: ResultItem,
  { short }: DescribedFields,
  listed: number | null,
): string {
  const counted = total === undefined ? `${listed} found` : `${listed} of ${total}, page ${page}`;
  const summary = String(message ?? (listed === null ? '' : counted));
  const parts = [summary.replace(/\.$/, ''), short.join(', ')].filter((part) => part !== '');
  const isSentence = message !== undefined && parts.length === 1;
  return `${parts.join('. ')}${isSentence ? '.' : ''}`;
}

/** The fields that no other part of the text says: what is done needs no event to ask for. */
function withoutSaid(rest: ResultItem): ResultItem {
  const { total: _total, page: _page, page_size: _size, relations: _, ...otherFields } = rest;
  const { note: _note, ...fields } = otherFields;
  const { dry_run: _dry, deleted, has_more, status, event_id, ...others } = fields;
  const isCounted = /\d|^Memory /.test(String(fields.message));
  return {
    ...others,
    ...(status !== 'SUCCEEDED' && { status, event_id }),
    ...(!isCounted && { deleted }),
    ...(has_more === true && { has_more }),
  };
}

function noteOf({ note }: ResultItem): string[] {
  return typeof note === 'string' ? [`${note}.`] : [];
}

type ShownCounts = { rest: ResultItem; total: number; kept: number; cut: string | null };

/** Notes on how to continue when the result is incomplete. */
function continuationNotes(call: ToolCall, { rest, total, kept, cut }: ShownCounts): string[] {
  const notes = cut === null ? [] : [cut];
  const { page, page_size } = rest;
  if (kept < total) {
    const note = `${total - kept} of ${total} left out to keep the result short.`;
    notes.push(`${note} ${continuationHint(call, rest, kept)}`);
  } else if (typeof page === 'number' && typeof page_size === 'number') {
    if (page * page_size < Number(rest.total))
      notes.push(`More: call again with page ${page + 1}.`);
  }
  return notes;
}

/** A smaller page that starts at the first omitted item, or repeats a few before it. */
function continuationHint(
  { record }: ToolCall,
  { page, page_size }: ResultItem,
  kept: number,
): string {
  if (typeof page === 'number' && typeof page_size === 'number') {
    const next = Math.floor(((page - 1) * page_size + kept) / kept) + 1;
    return `Call again with page_size ${kept} and page ${next}.`;
  }
  return 'top_k' in record.operation.input.shape
    ? `Narrow the filters, ask for top_k ${kept}, or call get_memory with an id.`
    : 'Call get_memory with an id.';
}
