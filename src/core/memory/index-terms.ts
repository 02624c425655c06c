import type { IndexTerms, StoredMemory } from '../ports.ts';
import { analyze } from './analyze.ts';

/** The words under which a memory is found: its own, and those of the name of whoever said it. */
export function indexTerms(memory: Pick<StoredMemory, 'memory' | 'role' | 'speaker'>): IndexTerms {
  const { role, speaker } = memory;
  // A name that only repeats the role names nobody.
  const name = speaker === null || speaker === role ? '' : speaker;
  return { terms: termsOf(memory.memory), speaker_terms: termsOf(name) };
}

export function termsOf(text: string): string {
  return analyze(text).join(' ');
}
