import { type GraphLine, parseGraphLine } from '../../contract/archive/server-memory-line.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Deps } from '../ports/index.ts';
import { type ArchiveRecord, inBatches, nothingThere, type SizedLine } from './read-lines.ts';
import { createGraphReading, type GraphScope, type StatedMemory } from './server-memory.ts';

type Target = Pick<Deps, 'store' | 'clock'> & {
  scope: GraphScope;
  /** Told how many memories of a batch are stored already. */
  onUnchanged: (count: number) => void;
};

/**
 * Reads the file of `@modelcontextprotocol/server-memory` as lines of an export. A memory that was
 * imported before is left as it is now, because no line says when it was written.
 */
export async function* readServerMemory(
  lines: AsyncIterable<SizedLine<ArchiveRecord>>,
  target: Target,
): AsyncGenerator<readonly ArchiveRecord[]> {
  for await (const batch of inBatches(memoriesIn(lines, target.scope))) {
    const fresh = await withoutStored(batch, target);
    target.onUnchanged(batch.length - fresh.length);
    yield fresh.map((record) => archived(record, target));
  }
  yield [{ place: 'the end', value: { kind: 'end' } }];
}

type Told = { place: string } & ({ memory: StatedMemory } | { problem: string });

async function* memoriesIn(
  lines: AsyncIterable<SizedLine<ArchiveRecord>>,
  scope: GraphScope,
): AsyncGenerator<SizedLine<Told>> {
  const memoriesOf = createGraphReading(scope);
  let isEmpty = true;
  for await (const { found, size } of lines) {
    isEmpty = false;
    const told = toldIn(found, memoriesOf);
    for (const each of told) yield { found: each, size: size / told.length };
  }
  if (isEmpty) throw new ApiError('invalid', nothingThere);
}

function toldIn(record: ArchiveRecord, memoriesOf: (line: GraphLine) => StatedMemory[]): Told[] {
  if ('problem' in record) {
    const { place, problem } = record;
    const begin = place === 'line 1' ? 'looks like one of a server-memory file, but ' : '';
    return [{ place, problem: begin + problem }];
  }
  const { place, value } = record;
  try {
    return memoriesOf(parseGraphLine(value)).map((memory) => ({ place, memory }));
  } catch (error) {
    if (error instanceof ApiError) return [{ place, problem: error.message }];
    throw error;
  }
}

async function withoutStored(batch: readonly Told[], { store, scope }: Target): Promise<Told[]> {
  const ids = batch.flatMap((told) => ('memory' in told ? [told.memory.id] : []));
  const stored = await store.memories.findMany(scope.project, ids);
  const storedIds = new Set(stored.map(({ id }) => id));
  return batch.filter((told) => {
    if ('problem' in told) return true;
    const isNew = !storedIds.has(told.memory.id);
    storedIds.add(told.memory.id);
    return isNew;
  });
}

function archived(told: Told, { scope, clock }: Target): ArchiveRecord {
  if ('problem' in told) return told;
  const { place, memory } = told;
  const now = clock.now();
  const times = { created_at: now, updated_at: now };
  return { place, value: { kind: 'memory', ...memory, ...scope.ids, ...times } };
}
