import type { StrictOmit } from '../../contract/strict-omit.ts';
import { createTurns } from '../../turns.ts';
import { resolveTextLanguages } from '../language/resolve-languages.ts';
import { aliasMark, statedAliases } from '../language/stated-aliases.ts';
import { englishStemmers, type StemmersByScript } from '../language/stems.ts';
import { analyze } from '../language/terms-of-text.ts';
import type { IndexTerms, NewMemory, ProjectRef, StoredMemory, Tables } from '../ports/index.ts';

type IndexedText = Pick<StoredMemory, 'memory' | 'said' | 'role' | 'speaker'>;
type TermsUnitOfWork = { tables: Pick<Tables, 'languages'>; project: ProjectRef };

/** A memory to store, without its index terms. */
export type UnindexedMemory = StrictOmit<NewMemory, keyof IndexTerms>;

/**
 * Adds index terms to memories of a project and records their languages. `listed` are the languages
 * of the project, if the caller knows them.
 */
export async function withIndexTerms<M extends IndexedText>(
  unit: TermsUnitOfWork,
  memories: readonly M[],
  listed?: readonly string[],
): Promise<(M & IndexTerms)[]> {
  let projectLanguages = listed ?? (await unit.tables.languages.list(unit.project));
  const indexed: (M & IndexTerms)[] = [];
  const yieldTurn = createTurns();
  for (const memory of memories) {
    await yieldTurn();
    const { others, terms } = await makeIndexTerms(memory, projectLanguages);
    if (others.length > 0) await unit.tables.languages.add(unit.project, others);
    projectLanguages = [...projectLanguages, ...others];
    indexed.push({ ...memory, ...terms });
  }
  return indexed;
}

/** The index terms of a memory of a project; records its languages. */
export async function indexTermsFor(
  { tables, project }: TermsUnitOfWork,
  memory: IndexedText,
): Promise<IndexTerms> {
  const projectLanguages = await tables.languages.list(project);
  const { others, terms } = await makeIndexTerms(memory, projectLanguages);
  if (others.length > 0) await tables.languages.add(project, others);
  return terms;
}

/** The index terms of a memory, and its languages that are not among the known ones. */
export async function makeIndexTerms(
  memory: IndexedText,
  projectLanguages: readonly string[],
): Promise<{ terms: IndexTerms; others: readonly string[] }> {
  const yieldTurn = createTurns();
  const text = `${memory.memory} ${memory.said ?? ''}`;
  const { stems, languages } = await resolveTextLanguages(text, projectLanguages);
  const others = languages.filter((language) => !projectLanguages.includes(language));
  await yieldTurn();
  return { terms: toIndexTerms(memory, stems), others };
}

/**
 * The searchable words of a memory: its own, further ones of the original statement, a mark where
 * it states that two names are one, and the speaker's name.
 */
export function toIndexTerms(
  memory: IndexedText,
  stems: StemmersByScript = englishStemmers,
): IndexTerms {
  const { role, speaker, said } = memory;
  // A name that repeats the role does not identify a speaker.
  const name = speaker === null || speaker === role ? '' : speaker;
  const textTerms = analyze(memory.memory, stems);
  const ownTerms = new Set(textTerms);
  const others = said === null ? [] : analyze(said, stems).filter((term) => !ownTerms.has(term));
  const marks = statedAliases(`${memory.memory}\n${said ?? ''}`).length > 0 ? [aliasMark] : [];
  // Names belong to no language.
  return {
    terms: [...textTerms, ...others, ...marks].join(' '),
    speaker_terms: analyze(name).join(' '),
  };
}
