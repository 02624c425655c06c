/** A number of memories in words. */
export function memoriesInWords(count: number): string {
  return `${count} ${count === 1 ? 'memory' : 'memories'}`;
}
