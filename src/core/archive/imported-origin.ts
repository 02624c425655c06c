import type { ArchiveLineOf } from '../../contract/archive/archive-line.ts';
import type { Deps, StoredMemory } from '../ports/index.ts';
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
  /** Whoever imports says that the file is an export of their own. */
  is_trusted: boolean;
};

type ImportedOrigin = MemoryStanding & Pick<StoredMemory, 'source_class'>;
type OriginLine = Pick<
  ArchiveLineOf<'memory'>,
  'memory' | 'status' | 'source_class' | 'review_reason'
>;

/**
 * A trusted export keeps what was decided where it comes from. Any other file can say that it is
 * trusted less than an import, never more, and the project decides what waits.
 */
export function importedOrigin(
  { memory, status, source_class, review_reason }: OriginLine,
  { trust, is_trusted, readsLikeOrders }: ImportTrust,
): ImportedOrigin {
  if (is_trusted && source_class !== undefined) return { status, source_class, review_reason };
  const told = { text: memory, source_class: leastTrusted('import', source_class ?? 'import') };
  const standing = standingOf(told, trust, { readsLikeOrders });
  const waits = status !== 'active' && standing.status === 'active';
  return { source_class: told.source_class, ...(waits ? { status, review_reason } : standing) };
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
