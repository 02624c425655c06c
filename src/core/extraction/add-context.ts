import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { Deps, Instant, StoredMemory } from '../ports/index.ts';

/** What all memories of one add have in common. */
export type AddContext = EntityIds & {
  metadata: Record<string, unknown>;
  immutable: boolean;
  expiration_date: string | null;
  /** Names of categories with what belongs to them; null is the default catalogue. */
  categories: Record<string, string> | null;
  /** Whether what they state about entities goes into the knowledge graph. */
  graph: boolean;
  /** Unix seconds that backdate `created_at`; null is now. */
  timestamp: number | null;
};

/** When it was said. */
export function saidAt({ clock }: Pick<Deps, 'clock'>, { timestamp }: AddContext): Instant {
  return timestamp === null ? clock.now() : new Date(timestamp * 1000).toISOString();
}

export function isExpired(
  { expiration_date }: Pick<StoredMemory, 'expiration_date'>,
  now: Instant,
): boolean {
  return expiration_date !== null && expiration_date < now.slice(0, 'YYYY-MM-DD'.length);
}

/** What the event of an add tells of the knowledge graph. */
export function graphStatus({ graph }: AddContext): { graph_status?: 'SUCCEEDED' } {
  return graph ? { graph_status: 'SUCCEEDED' } : {};
}
