import { isGraphLine } from '../../contract/archive/server-memory-line.ts';
import { linesIn } from './read-lines.ts';

export type FileKind = 'export' | 'server-memory';

/** Who wrote a file, by its first line. The bytes that are answered begin with that line again. */
export async function recognize(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ kind: FileKind; bytes: AsyncIterable<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  const { value: first } = await linesIn(recorded(source, seen)).next();
  const isGraph = first !== undefined && 'value' in first.found && isGraphLine(first.found.value);
  return { kind: isGraph ? 'server-memory' : 'export', bytes: replayed(source, seen) };
}

type ArchiveLineSource = AsyncIterator<Uint8Array>;

async function* recorded(
  source: ArchiveLineSource,
  seen: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  for (let next = await source.next(); !next.done; next = await source.next()) {
    seen.push(next.value);
    yield next.value;
  }
}

async function* replayed(
  source: ArchiveLineSource,
  seen: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  try {
    yield* seen;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  } finally {
    await source.return?.();
  }
}
