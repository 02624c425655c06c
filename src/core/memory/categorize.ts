import { analyze, analyzeQuery } from '../language/analyze.ts';

/**
 * The categories of a catalogue (name to description) that a text belongs to, without a model:
 * those of which it holds a telling word of the name or the description, in any form.
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
