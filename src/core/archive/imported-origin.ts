import type { ArchiveLine, ArchiveLineOf } from '../../contract/archive/archive-line.ts';
import type { Deps, StoredMemory } from '../ports/index.ts';
import { flagInjection } from '../safety/prompt-injection.ts';
import {
  isTrustedMore,
  leastTrusted,
  type MemoryStanding,
  standingOf,
  type TrustPolicy,
} from '../safety/trust.ts';

export type ImportTrust = Pick<Deps, 'readsLikeOrders'> & {
  /** The settings of the project that the lines go into. */
  trust: TrustPolicy;
  /** The importer says that the file is their own export. */
  is_trusted: boolean;
};

export type ImportedOrigin = MemoryStanding & Pick<StoredMemory, 'source_class' | 'metadata'>;
type OriginLine = Pick<
  ArchiveLineOf<'memory'>,
  'memory' | 'status' | 'source_class' | 'review_reason' | 'metadata'
>;

/**
 * A trusted export keeps what was decided where it comes from. Any other file can say that it is
 * trusted less than an import, never more; the project decides what waits, and the text whether it
 * is flagged.
 */
export function importedOrigin(
  line: OriginLine,
  { trust, is_trusted, readsLikeOrders }: ImportTrust,
): ImportedOrigin {
  const { memory, status, source_class, review_reason } = line;
  if (keepsOrigin(line, is_trusted)) {
    return { status, source_class: line.source_class, review_reason, metadata: line.metadata };
  }
  const told = { text: memory, source_class: leastTrusted('import', source_class ?? 'import') };
  const standing = standingOf(told, trust, { readsLikeOrders });
  const waits = status !== 'active' && standing.status === 'active';
  return {
    source_class: told.source_class,
    metadata: flagInjection({ readsLikeOrders }, memory, line.metadata),
    ...(waits ? { status, review_reason } : standing),
  };
}

/** Call it before a transaction: a text may be long. `importedOrigin` knows the verdict then. */
export async function judgeLine(
  line: ArchiveLine,
  { is_trusted, judgeOrders }: Pick<ImportTrust, 'is_trusted'> & Pick<Deps, 'judgeOrders'>,
): Promise<void> {
  if (line.kind !== 'memory' && line.kind !== 'version') return;
  if (!keepsOrigin(line, is_trusted)) await judgeOrders(line.memory);
}

function keepsOrigin<L extends Pick<OriginLine, 'source_class'>>(
  line: L,
  is_trusted: boolean,
): line is L & Pick<StoredMemory, 'source_class'> {
  return is_trusted && line.source_class !== undefined;
}

/** Why a file that is not trusted may not change a stored memory; null if it may. */
export function trustProblemOf(
  stored: Pick<StoredMemory, 'id' | 'source_class'> | undefined,
  { is_trusted }: Pick<ImportTrust, 'is_trusted'>,
): string | null {
  if (is_trusted || stored === undefined) return null;
  const { id, source_class } = stored;
  if (!isTrustedMore(source_class, 'import')) return null;
  const what = `memory ${id} is stored with source_class ${source_class}`;
  return `${what}: only your own export may change it (mneme import --trust)`;
}
