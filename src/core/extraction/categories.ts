import type { MemoryType } from '../../contract/schemas/memory.ts';
import type { Decision } from '../ports/index.ts';
import { byLanguage, likelyLanguages } from './languages/all-languages.ts';
import { type DefaultCategory, defaultCategories } from './languages/default-categories.ts';

type CategorizedText = Pick<Decision, 'text' | 'said' | 'type' | 'slot'>;

/**
 * The categories of the default catalogue that a memory belongs to, in the catalogue's order: by
 * its type, by its slot, and by significant words of the languages that it may be in.
 */
function categoriesOf({ text, said, type, slot }: CategorizedText): DefaultCategory[] {
  const categories = new Set<DefaultCategory>([
    ...categoriesByType(type),
    ...categoriesBySlot(slot),
  ]);
  for (const language of likelyLanguages(said ?? text)) {
    for (const [category, pattern] of matchers[language]) {
      if (pattern.test(text)) categories.add(category);
    }
  }
  return defaultCategories.filter((category) => categories.has(category));
}

/** Gives ADD and UPDATE decisions without categories those of the default catalogue. */
export function withDefaultCategories<D extends Decision>(decision: D): D {
  const { event, categories } = decision;
  if (categories !== undefined || (event !== 'ADD' && event !== 'UPDATE')) return decision;
  return { ...decision, categories: categoriesOf(decision) };
}

/** Instructions say how a user wants to be treated. */
function categoriesByType(type: MemoryType | null): DefaultCategory[] {
  return type === 'preference' || type === 'instruction' ? ['user_preferences'] : [];
}

const categoryOfSlot: Readonly<Record<string, DefaultCategory>> = {
  age: 'personal_details',
  allergic_to: 'health',
  diet: 'food',
  favourite: 'user_preferences',
  job: 'professional_details',
  lives_in: 'personal_details',
  name: 'personal_details',
  prefers: 'user_preferences',
  works_at: 'professional_details',
};

/** `user:favourite:color` has the slot `favourite`. */
function categoriesBySlot(slot: string | null): DefaultCategory[] {
  const [, name = ''] = slot?.split(':') ?? [];
  const category = Object.hasOwn(categoryOfSlot, name) ? categoryOfSlot[name] : undefined;
  return category === undefined ? [] : [category];
}

type CategoryMatcher = readonly [DefaultCategory, RegExp];

const matchers = byLanguage(({ categories, isSpaceless }): CategoryMatcher[] => {
  // Scripts without spaces have no word boundaries to match.
  const [before, after] = isSpaceless ? ['', ''] : ['(?<!\\p{L})', '(?!\\p{L})'];
  return defaultCategories.flatMap((category) => {
    const words = categories[category];
    return words === undefined
      ? []
      : [[category, new RegExp(`${before}(?:${words})${after}`, 'iu')] as const];
  });
});
