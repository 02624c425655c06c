import { analyze, analyzeQuery } from '../language/terms-of-text.ts';

/**
 * The categories of a catalogue (name to description) that fit a text, without a model: those that
 * share a significant word of the name or description with it, in any form.
 */
export function matchCategories(
  text: string,
  catalogue: Readonly<Record<string, string>> | null,
): string[] {
  if (catalogue === null) return [];
  const terms = new Set(analyze(text));
  return Object.entries(catalogue)
    .filter(([name, about]) =>
      analyzeQuery(`${name.replaceAll('_', ' ')} ${about}`).some((term) => terms.has(term)),
    )
    .map(([name]) => name);
}
