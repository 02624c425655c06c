import { readText } from '../language/read.ts';
import { englishStems, type Stems } from '../language/stems.ts';
import type { IndexTerms, NewMemory, Project, StoredMemory, Tables } from '../ports.ts';
import { analyze } from './analyze.ts';

type Said = Pick<StoredMemory, 'memory' | 'said' | 'role' | 'speaker'>;
type Unit = { tables: Pick<Tables, 'languages'>; project: Project };

/** A memory that is to be stored, before its words are looked at. */
export type Unindexed = Omit<NewMemory, keyof IndexTerms>;

/** Adds the index terms to memories of a project, and notes in which languages they are. */
export async function withTerms<M extends Said>(
  unit: Unit,
  memories: readonly M[],
): Promise<(M & IndexTerms)[]> {
  const indexed: (M & IndexTerms)[] = [];
  for (const memory of memories) indexed.push({ ...memory, ...(await termsIn(unit, memory)) });
  return indexed;
}

/** The index terms of a memory of a project; notes in which languages it is. */
export async function termsIn({ tables, project }: Unit, memory: Said): Promise<IndexTerms> {
  const known = await tables.languages.list(project);
  const { stems, languages } = await readText(`${memory.memory} ${memory.said ?? ''}`, known);
  const others = languages.filter((language) => !known.includes(language));
  await tables.languages.add(project, others);
  return indexTerms(memory, stems);
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
