import type { EntityIds } from '../../contract/schemas/entity.ts';
import { parseInstant } from '../../contract/schemas/filter-value.ts';
import type { SourceClass } from '../../contract/schemas/memory.ts';
import { dayInZone, isoDayOf } from '../../contract/wall-clock.ts';
import type { Parsed } from '../../contract.ts';
import { extractionSettingsOf } from '../extraction/settings.ts';
import type {
  Deps,
  ExtractionSettings,
  Instant,
  StoredEvent,
  StoredMemory,
  StoredProject,
} from '../ports/index.ts';
import type { TrustPolicy } from '../safety/trust.ts';

/** An add under way. */
export type Add = {
  input: Parsed<'add_memory'>;
  project: StoredProject;
  /** Made once, when the add begins. */
  scope: AddContext;
  /** What its event tells of how it is carried out. */
  metadata: StoredEvent['metadata'];
};

/** The fields that all memories of one add share. */
export type AddContext = EntityIds & {
  metadata: Record<string, unknown>;
  immutable: boolean;
  pinned: boolean;
  expiration_date: string | null;
  /** What the caller says of when all is true; undefined leaves it to extraction. */
  valid_from?: Instant | null | undefined;
  valid_until?: Instant | null | undefined;
  extraction: ExtractionSettings;
  /** Whether their relations go into the knowledge graph. */
  graph: boolean;
  /** Unix seconds that backdate `created_at`; null is now. */
  timestamp: number | null;
  /** What the caller says of the source of all messages: it can only lower the trust in them. */
  source_class: SourceClass | null;
  trust: TrustPolicy;
};

/** The time of the conversation. */
export function saidAt({ clock }: Pick<Deps, 'clock'>, { timestamp }: AddContext): Instant {
  return timestamp === null ? clock.now() : new Date(timestamp * 1000).toISOString();
}

export function isExpired(
  { expiration_date }: Pick<StoredMemory, 'expiration_date'>,
  now: Instant,
  { timezone = 'UTC' }: { timezone?: string | undefined },
): boolean {
  return expiration_date !== null && expiration_date < dayInZone(now, timezone);
}

/** The last day that a caller names: that of a date-time is counted in the time zone. */
export function lastDayOf<Said extends string | null | undefined>(
  said: Said,
  { timezone = 'UTC' }: Pick<Deps, 'timezone'>,
): Said | string {
  if (typeof said !== 'string') return said;
  const text = said.trim();
  const written = isoDayOf(text);
  if (text === written) return written;
  const instant = parseInstant({ field: 'expiration_date', path: [] }, text);
  const day = dayInZone(instant, timezone);
  // A zone may lead beyond the years that are written with four digits.
  return /^\d/.test(day) ? day : written;
}

/** What to tell a caller whose memory is hidden from the start; null of one that is not. */
export function expiredRemark(
  memory: Pick<StoredMemory, 'expiration_date'>,
  { clock, timezone }: Pick<Deps, 'clock' | 'timezone'>,
): string | null {
  if (!isExpired(memory, clock.now(), { timezone })) return null;
  return `expiration_date ${memory.expiration_date} is past, so that searches hide it`;
}

/** The whole conversation, for results that concern no single fact. */
export function conversationText({ messages = [] }: Parsed<'add_memory'>): string {
  return messages.map(({ content }) => content).join('\n');
}

/** The context of an add, from its input and its project's settings. */
export function addContextOf(
  input: Parsed<'add_memory'>,
  { settings }: Pick<StoredProject, 'settings'>,
  zone: Pick<Deps, 'timezone'>,
): AddContext {
  return {
    user_id: input.user_id ?? null,
    agent_id: input.agent_id ?? null,
    app_id: input.app_id ?? null,
    run_id: input.run_id ?? null,
    metadata: input.metadata ?? {},
    immutable: input.immutable,
    pinned: input.pinned,
    expiration_date: lastDayOf(input.expiration_date ?? null, zone),
    valid_from: input.valid_from,
    valid_until: input.valid_until,
    extraction: extractionSettingsOf(input, settings),
    graph: input.enable_graph || settings.enable_graph,
    timestamp: input.timestamp ?? null,
    source_class: input.source_class ?? null,
    trust: settings,
  };
}

/** The event keeps the whole input, so that the queue can process it after a restart. */
export function newEventOf({ input, metadata, scope }: Add) {
  const { find_similar: _, ...payload }: Record<string, unknown> & Add['input'] = input;
  const { user_id, agent_id, app_id, run_id } = scope;
  return { event_type: 'ADD' as const, payload, metadata, user_id, agent_id, app_id, run_id };
}
