import { estimateTokens } from '../../contract/estimate-tokens.ts';
import { isObject } from '../../contract/is-object.ts';
import { formatItem } from './text.ts';
import type { ResultItem } from './views.ts';

/**
 * The items, from the first, that fit a budget of tokens in each channel. If even the first one is
 * too long, its texts and lists are cut, and `cut` says so.
 */
export function truncateItems(
  items: readonly ResultItem[],
  budget: number,
): { kept: ResultItem[]; cut: string | null } {
  const kept: ResultItem[] = [];
  let text = 0;
  let json = 0;
  for (const item of items) {
    text += estimateTokens(formatItem(item, kept.length + 1));
    json += estimateTokens(JSON.stringify(item));
    if (Math.max(text, json) > budget) break;
    kept.push(item);
  }
  const [first] = items;
  if (kept.length > 0 || first === undefined) return { kept, cut: null };
  return {
    kept: [truncateItem(first, budget)],
    cut: 'Long texts are cut; only their beginning is here.',
  };
}

/** Halves the longest text and list an item may hold until it fits. */
function truncateItem(item: ResultItem, budget: number): ResultItem {
  let shorter = item;
  for (let most = budget * 4; most >= 1; most = Math.floor(most / 2)) {
    shorter = truncateFields(item, { chars: Math.max(most, 40), length: Math.max(most / 40, 1) });
    const longest = Math.max(
      estimateTokens(JSON.stringify(shorter)),
      estimateTokens(formatItem(shorter, 1)),
    );
    if (longest <= budget) break;
  }
  return shorter;
}

type TruncateLimits = { chars: number; length: number };

function truncateFields(item: ResultItem, most: TruncateLimits): ResultItem {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, truncateValue(value, most)]),
  );
}

function truncateValue(value: unknown, most: TruncateLimits): unknown {
  if (typeof value === 'string') return truncateText(value, most.chars);
  if (Array.isArray(value))
    return value.slice(0, most.length).map((entry) => truncateValue(entry, most));
  if (!isObject(value)) return value;
  return truncateFields(Object.fromEntries(Object.entries(value).slice(0, most.length)), most);
}

function truncateText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const beginning = text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '');
  return `${beginning}… [cut: ${text.length} characters in all]`;
}
