import { createHash } from 'node:crypto';
import { seed } from './rounds.ts';

/** Bytes without a pattern, the same in every run with a seed; `name` tells several apart. */
export function randomBytesFor(name: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(`${seed} ${name}`).digest();
}
