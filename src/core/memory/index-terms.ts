import { analyze } from '../language/analyze.ts';
import { resolveTextLanguages } from '../language/resolve-languages.ts';
import { englishStemmers, type StemmersByScript } from '../language/stems.ts';
import type { IndexTerms, NewMemory, ProjectRef, StoredMemory, Tables } from '../ports/index.ts';

type IndexedText = Pick<StoredMemory, 'memory' | 'said' | 'role' | 'speaker'>;
type TermsUnitOfWork = { tables: Pick<Tables, 'languages'>; project: ProjectRef };

/** A memory that is to be stored, before its words are looked at. */
export type UnindexedMemory = Omit<NewMemory, keyof IndexTerms>;

/**
 * Adds the index terms to memories of a project, and notes in which languages they are. `listed`
 * are the languages of the project, where they are known.
 */
export async function withIndexTerms<M extends IndexedText>(
  unit: TermsUnitOfWork,
  memories: readonly M[],
  listed?: readonly string[],
): Promise<(M & IndexTerms)[]> {
  let known = listed ?? (await unit.tables.languages.list(unit.project));
  const indexed: (M & IndexTerms)[] = [];
  for (const memory of memories) {
    const { others, terms } = await indexMemory(unit, memory, known);
    if (others.length > 0) known = [...known, ...others];
    indexed.push({ ...memory, ...terms });
  }
  return indexed;
}

/** The index terms of a memory of a project; notes in which languages it is. */
export async function indexTermsFor(
  unit: TermsUnitOfWork,
  memory: IndexedText,
): Promise<IndexTerms> {
  const known = await unit.tables.languages.list(unit.project);
  return (await indexMemory(unit, memory, known)).terms;
}

async function indexMemory(
  { tables, project }: TermsUnitOfWork,
  memory: IndexedText,
  known: readonly string[],
): Promise<{ terms: IndexTerms; others: readonly string[] }> {
  const { stems, languages } = await resolveTextLanguages(
    `${memory.memory} ${memory.said ?? ''}`,
    known,
  );
  const others = languages.filter((language) => !known.includes(language));
  if (others.length > 0) await tables.languages.add(project, others);
  return { terms: toIndexTerms(memory, stems), others };
}

/**
 * The words under which a memory is found: its own, those in which it was said that it does not
 * hold, and those of the name of whoever said it.
 */
export function toIndexTerms(
  memory: IndexedText,
  stems: StemmersByScript = englishStemmers,
): IndexTerms {
  const { role, speaker, said } = memory;
  // A name that only repeats the role names nobody.
  const name = speaker === null || speaker === role ? '' : speaker;
  const own = analyze(memory.memory, stems);
  const held = new Set(own);
  const others = said === null ? [] : analyze(said, stems).filter((term) => !held.has(term));
  // Names are of no language.
  return { terms: [...own, ...others].join(' '), speaker_terms: analyze(name).join(' ') };
}
