/** The default catalogue, for projects and adds that name no categories of their own. */
export const defaultCategories = [
  'personal_details',
  'family',
  'professional_details',
  'sports',
  'travel',
  'food',
  'music',
  'health',
  'technology',
  'hobbies',
  'fashion',
  'entertainment',
  'milestones',
  'user_preferences',
  // Never chosen by rules: a memory that fits no other category has none.
  'misc',
] as const;
export type DefaultCategory = (typeof defaultCategories)[number];

/** Pattern alternatives by category: whole words that hardly mean anything else. */
export type CategoryWords = Partial<Record<DefaultCategory, string>>;
