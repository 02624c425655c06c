import type { ProjectSettings } from '../../contract/schemas/project.ts';
import type { Parsed } from '../../contract.ts';
import type { ExtractionSettings } from '../ports/index.ts';

/** The extraction settings of an add; its project's settings are the defaults. */
export function extractionSettingsOf(
  input: Parsed<'add_memory'>,
  settings: ProjectSettings,
): ExtractionSettings {
  return {
    includes: input.includes ?? settings.inclusion_prompt,
    excludes: input.excludes ?? settings.exclusion_prompt,
    instructions: instructionsOf(input, settings),
    categories: input.custom_categories ?? catalogueOf(settings),
  };
}

function instructionsOf(
  { custom_instructions }: Parsed<'add_memory'>,
  settings: ProjectSettings,
): string | null {
  const { agent_custom_instructions: ofAgents } = settings;
  const instructions = [
    custom_instructions ?? settings.custom_instructions,
    ofAgents && `For what an assistant says: ${ofAgents}`,
  ].filter((one) => typeof one === 'string' && one !== '');
  return instructions.length === 0 ? null : instructions.join('\n');
}

function catalogueOf({ custom_categories }: ProjectSettings): Record<string, string> | null {
  return custom_categories === null ? null : Object.assign({}, ...custom_categories);
}
