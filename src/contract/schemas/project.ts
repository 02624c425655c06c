import * as z from 'zod';
import { isObject } from '../is-object.ts';
import { limits } from '../limits.ts';
import { JsonDocument, parseIfJson } from './json.ts';
import { Member, roles } from './member.ts';
import { sourceClasses } from './memory.ts';
import { Flag, readNames } from './query-values.ts';
import { cleanText, freeText, nameText } from './text.ts';

const ProjectInstructions = freeText(limits.instructions_max_chars).nullable();

/** The name of a category with what it is about. */
const Categories = z.record(nameText(limits.category_max_chars), z.string().overwrite(cleanText));

/**
 * Category names with descriptions, as one object or as an array of one-key objects, which may be
 * JSON text.
 */
export const CategoryList = z.preprocess(
  (value) =>
    isObject(value) ? Object.entries(value).map(([key, about]) => ({ [key]: about })) : value,
  z
    .array(z.preprocess(parseIfJson, Categories))
    .max(limits.custom_categories_max, `at most ${limits.custom_categories_max} categories`)
    .nullable(),
);

/** The categories that a memory is filed under; none at all is a list too. */
export const CategoryNames = z
  .array(nameText(limits.category_max_chars))
  .max(limits.custom_categories_max, `at most ${limits.custom_categories_max} categories`);

/** Agents change texts; people file them. */
export const NewCategories = z
  .preprocess(readNames, CategoryNames)
  .overwrite((names) => [...new Set(names)])
  .optional()
  .describe('Replaces all categories')
  .meta({ not_in_tools: true });

/** Names that mean the same, such as k8s and Kubernetes: who asks for one finds the others. */
const AliasGroups = z
  .array(
    z
      .array(nameText(limits.alias_max_chars))
      .min(2, 'a group needs two names')
      .max(limits.alias_names_max, `at most ${limits.alias_names_max} names in a group`),
  )
  .max(limits.alias_groups_max, `at most ${limits.alias_groups_max} groups`);

/** What a project keeps of the questions that were answered. */
export const recallKeeping = ['off', 'hash', 'text'] as const;

/** Which new memories wait for a review. */
export const reviewModes = ['off', 'unsure', 'all'] as const;

/** Settings for extracting and searching a project's memories; null means the default. */
export const projectSettings = {
  custom_instructions: ProjectInstructions.describe('How to extract facts'),
  agent_custom_instructions: ProjectInstructions.describe('How to extract facts from agents'),
  custom_categories: CategoryList.describe('Category names with descriptions'),
  retrieval_criteria: z
    .array(JsonDocument)
    .max(limits.custom_categories_max)
    .nullable()
    .describe('Criteria for ranking'),
  inclusion_prompt: ProjectInstructions.describe('What to remember'),
  exclusion_prompt: ProjectInstructions.describe('What not to remember'),
  enable_graph: Flag.describe('Extract entities and relations'),
  multilingual: Flag.describe('Keep the source language'),
  decay: Flag.describe('Lower scores of unused memories'),
  trust_min: z.enum(sourceClasses).describe('Least trusted source recalled without review'),
  review: z.enum(reviewModes).describe('New memories that need review'),
  quarantine_flagged: Flag.describe('Quarantine texts that read like orders to an agent'),
  aliases: AliasGroups.describe('Groups of names for the same thing'),
  keep_recalls: z.enum(recallKeeping).describe('What to keep of search queries'),
};

/** Settings that shipped clients send as well: accepted, without effect. */
const unusedSetting = z.unknown().optional().meta({ internal: true });
export const unusedSettings = {
  version: unusedSetting,
  memory_depth: unusedSetting,
  usecase_setting: unusedSetting,
};

export const ProjectSettings = z.object(projectSettings);
export type ProjectSettings = z.output<typeof ProjectSettings>;

export const defaultProjectSettings: ProjectSettings = {
  custom_instructions: null,
  agent_custom_instructions: null,
  custom_categories: null,
  retrieval_criteria: null,
  inclusion_prompt: null,
  exclusion_prompt: null,
  enable_graph: false,
  multilingual: true,
  decay: false,
  trust_min: 'unknown',
  review: 'off',
  quarantine_flagged: false,
  aliases: [],
  keep_recalls: 'off',
};

/** An isolated set of memories. */
export const Project = ProjectSettings.extend({
  id: z.int(),
  project_id: z.string(),
  org_id: z.string(),
  name: z.string(),
  description: z.string(),
  members: z.array(Member),
  is_default: z.boolean(),
  user_role: z.enum(roles),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Project = z.output<typeof Project>;

/** A project reduced to the requested `fields`; its ids always stay. */
export const PartialProject = Project.partial().required({ id: true, project_id: true });

/** Category names with descriptions, as an object or as an array of one-key objects. */
export const CustomCategories = z.preprocess(
  (value) => {
    const read = parseIfJson(value);
    return Array.isArray(read) && read.every(isObject)
      ? Object.fromEntries(read.flatMap((item) => Object.entries(item)))
      : read;
  },
  Categories.refine(
    (categories) => Object.keys(categories).length <= limits.custom_categories_max,
    `at most ${limits.custom_categories_max} categories`,
  ),
);
