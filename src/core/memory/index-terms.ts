import { readText } from '../language/read.ts';
import { englishStems, type Stems } from '../language/stems.ts';
import type { IndexTerms, NewMemory, Project, StoredMemory, Tables } from '../ports.ts';
import { analyze } from './analyze.ts';

type Said = Pick<StoredMemory, 'memory' | 'said' | 'role' | 'speaker'>;
type Unit = { tables: Pick<Tables, 'languages'>; project: Project };

/** A memory that is to be stored, before its words are looked at. */
export type Unindexed = Omit<NewMemory, keyof IndexTerms>;

/**
 * Adds the index terms to memories of a project, and notes in which languages they are. `listed`
 * are the languages of the project, where they are known.
 */
export async function withTerms<M extends Said>(
  unit: Unit,
  memories: readonly M[],
  listed?: readonly string[],
): Promise<(M & IndexTerms)[]> {
  let known = listed ?? (await unit.tables.languages.list(unit.project));
  const indexed: (M & IndexTerms)[] = [];
  for (const memory of memories) {
    const { others, terms } = await readTerms(unit, memory, known);
    if (others.length > 0) known = [...known, ...others];
    indexed.push({ ...memory, ...terms });
  }
  return indexed;
}

/** The index terms of a memory of a project; notes in which languages it is. */
export async function termsIn(unit: Unit, memory: Said): Promise<IndexTerms> {
  const known = await unit.tables.languages.list(unit.project);
  return (await readTerms(unit, memory, known)).terms;
}

async function readTerms(
  { tables, project }: Unit,
  memory: Said,
  known: readonly string[],
): Promise<{ terms: IndexTerms; others: readonly string[] }> {
  const { stems, languages } = await readText(`${memory.memory} ${memory.said ?? ''}`, known);
  const others = languages.filter((language) => !known.includes(language));
  if (others.length > 0) await tables.languages.add(project, others);
  return { terms: indexTerms(memory, stems), others };
}

/**
 * The words under which a memory is found: its own, those in which it was said that it does not
 * hold, and those of the name of whoever said it.
 */
export function indexTerms(memory: Said, stems: Stems = englishStems): IndexTerms {
  const { role, speaker, said } = memory;
  // A name that only repeats the role names nobody.
  const name = speaker === null || speaker === role ? '' : speaker;
  const own = analyze(memory.memory, stems);
  const held = new Set(own);
  const others = said === null ? [] : analyze(said, stems).filter((term) => !held.has(term));
  // Names are of no language.
  return { terms: [...own, ...others].join(' '), speaker_terms: analyze(name).join(' ') };
}
