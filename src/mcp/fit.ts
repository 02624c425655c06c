import { isObject } from '../contract/is-object.ts';
import { itemText } from './text.ts';
import { estimateTokens } from './tokens.ts';
import type { Item } from './view.ts';

/**
 * The items, from the first, that fit a budget of tokens in each channel. When not even the first
 * one does, its long texts and lists are cut, and `cut` says so.
 */
export function fitItems(
  items: readonly Item[],
  budget: number,
): { kept: Item[]; cut: string | null } {
  const kept: Item[] = [];
  let text = 0;
  let json = 0;
  for (const item of items) {
    text += estimateTokens(itemText(item, kept.length + 1));
    json += estimateTokens(JSON.stringify(item));
    if (Math.max(text, json) > budget) break;
    kept.push(item);
  }
  const [first] = items;
  if (kept.length > 0 || first === undefined) return { kept, cut: null };
  return {
    kept: [shrink(first, budget)],
    cut: 'Long texts are cut; only their beginning is here.',
  };
}

/** Halves the longest text and list an item may hold until it fits. */
function shrink(item: Item, budget: number): Item {
  let shorter = item;
  for (let most = budget * 4; most >= 1; most = Math.floor(most / 2)) {
    shorter = cutFields(item, { chars: Math.max(most, 40), length: Math.max(most / 40, 1) });
    const longest = Math.max(
      estimateTokens(JSON.stringify(shorter)),
      estimateTokens(itemText(shorter, 1)),
    );
    if (longest <= budget) break;
  }
  return shorter;
}

type Most = { chars: number; length: number };

function cutFields(item: Item, most: Most): Item {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, cut(value, most)]));
}

function cut(value: unknown, most: Most): unknown {
  if (typeof value === 'string') return cutText(value, most.chars);
  if (Array.isArray(value)) return value.slice(0, most.length).map((entry) => cut(entry, most));
  if (!isObject(value)) return value;
  return cutFields(Object.fromEntries(Object.entries(value).slice(0, most.length)), most);
}

function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const beginning = text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '');
  return `${beginning}… [cut: ${text.length} characters in all]`;
}
