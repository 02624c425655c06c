import type { IndexTerms, StoredMemory } from '../ports.ts';
import { analyze } from './analyze.ts';

/**
 * The words under which a memory is found: its own, those in which it was said that it does not
 * hold, and those of the name of whoever said it.
 */
export function indexTerms(
  memory: Pick<StoredMemory, 'memory' | 'said' | 'role' | 'speaker'>,
): IndexTerms {
  const { role, speaker, said } = memory;
  // A name that only repeats the role names nobody.
  const name = speaker === null || speaker === role ? '' : speaker;
  const own = analyze(memory.memory);
  const held = new Set(own);
  const others = said === null ? [] : analyze(said).filter((term) => !held.has(term));
  return { terms: [...own, ...others].join(' '), speaker_terms: analyze(name).join(' ') };
}
