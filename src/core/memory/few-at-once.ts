import { partsBySize } from '../../turns.ts';
import type { StoredMemory } from '../ports/index.ts';

/** What one part of a change of many memories may hold, so that it holds up nobody. */
const limits = { most: 100, size: 100_000 };

type ChangedText = Pick<StoredMemory, 'memory' | 'said'>;

/** The memories in parts that are changed at once: of long texts fewer. */
export function fewAtOnce<M extends ChangedText>(memories: readonly M[]): M[][] {
  const sizeOf = ({ memory, said }: M) => memory.length + (said?.length ?? 0);
  return partsBySize(memories, { ...limits, sizeOf });
}
