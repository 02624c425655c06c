import { estimateTokens } from '../../contract/estimate-tokens.ts';
import { isObject } from '../../contract/is-object.ts';
import { passageBudget, passageOf } from '../../contract/passage.ts';
import { formatItem } from './text.ts';
import type { ResultItem } from './views.ts';

/**
 * The items, from the first, that fit a budget of tokens in each channel. If even the first one is
 * too long, its texts and lists are cut, and `cut` says so. Of what a question found, each that is
 * too long is cut to the passage that matched, and those after it follow.
 */
export function truncateItems(
  items: readonly ResultItem[],
  budget: number,
  question: string | null = null,
): { kept: ResultItem[]; cut: string | null } {
  const kept: ResultItem[] = [];
  let cut: string | null = null;
  let [text, json] = [0, 0];
  for (const [index, item] of items.entries()) {
    let view = item;
    const room = budget - Math.max(text, json);
    if (costOf(item, index) > room) {
      if (index > 0 && (question === null || room < cutTokensMin)) break;
      const isLast = question === null || index === items.length - 1;
      view = truncateItem(item, { question, budget: passageBudget(room, isLast) });
      if (index > 0 && costOf(view, index) > room) break;
      cut = question === null ? onlyBeginning : onlyPassage;
    }
    text += textCost(view, index);
    json += estimateTokens(JSON.stringify(view));
    kept.push(view);
  }
  return { kept, cut };
}

const onlyBeginning = 'Long texts are cut; only their beginning is here.';
const onlyPassage = 'Long texts are cut; only the part that matches is here.';

/** An item's ids, date and score take most of less. */
const cutTokensMin = 150;

function costOf(item: ResultItem, index: number): number {
  return Math.max(estimateTokens(JSON.stringify(item)), textCost(item, index));
}

function textCost(item: ResultItem, index: number): number {
  return estimateTokens(formatItem(item, index + 1));
}

type Truncation = { budget: number; question: string | null };

/** Halves the longest text and list an item may hold until it fits. */
function truncateItem(item: ResultItem, { budget, question }: Truncation): ResultItem {
  let shorter = item;
  for (let most = budget * 4; most >= 1; most = Math.floor(most / 2)) {
    const [chars, length] = [Math.max(most, 40), Math.max(most / 40, 1)];
    shorter = truncateFields(item, { chars, length, question });
    if (costOf(shorter, 0) <= budget) break;
  }
  return shorter;
}

type TruncateLimits = { chars: number; length: number; question: string | null };

function truncateFields(item: ResultItem, limits: TruncateLimits): ResultItem {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, truncateValue(value, limits)]),
  );
}

function truncateValue(value: unknown, limits: TruncateLimits): unknown {
  if (typeof value === 'string') return truncateText(value, limits);
  if (Array.isArray(value))
    return value.slice(0, limits.length).map((entry) => truncateValue(entry, limits));
  if (!isObject(value)) return value;
  return truncateFields(Object.fromEntries(Object.entries(value).slice(0, limits.length)), limits);
}

function truncateText(text: string, { chars, question }: TruncateLimits): string {
  if (text.length <= chars) return text;
  return `${passageOf(text, question, chars)} [cut: ${text.length} characters in all]`;
}
