import type { MemoryStatus, ReviewReason, SourceClass } from '../../contract/schemas/memory.ts';
import { sourceClasses } from '../../contract/schemas/memory.ts';
import type { ProjectSettings } from '../../contract/schemas/project.ts';
import type { Decision, Deps } from '../ports/index.ts';

/** The source of a message, by its role. */
export function sourceClassOfRole(role: string): SourceClass {
  return Object.hasOwn(classByRole, role) ? (classByRole[role] ?? 'unknown') : 'unknown';
}

const classByRole: Readonly<Record<string, SourceClass>> = {
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

/** A text that draws on several sources is trusted as little as the least of them. */
export function leastTrusted(first: SourceClass, ...others: SourceClass[]): SourceClass {
  return others.reduce((least, one) => (trustOf(one) < trustOf(least) ? one : least), first);
}

export function isTrustedMore(one: SourceClass, other: SourceClass): boolean {
  return trustOf(one) > trustOf(other);
}

/** The settings of a project that decide what waits for a review. */
export type TrustPolicy = Pick<ProjectSettings, 'trust_min' | 'quarantine_flagged' | 'review'>;

export type MemoryStanding = { status: MemoryStatus; review_reason: ReviewReason | null };

/** Whether a text is recalled at once, and if not, why it waits. */
export function standingOf(
  { text, source_class }: { text: string; source_class: SourceClass },
  { trust_min, quarantine_flagged }: TrustPolicy,
  { readsLikeOrders }: Pick<Deps, 'readsLikeOrders'>,
): MemoryStanding {
  if (trustOf(source_class) < trustOf(trust_min)) return quarantinedFor('source');
  if (quarantine_flagged && readsLikeOrders(text)) return quarantinedFor('flagged');
  return { status: 'active', review_reason: null };
}

/** Whether a new memory of a trusted source waits all the same, because the project reviews it. */
export function reviewStandingOf(
  { event, confidence = 1 }: Pick<Decision, 'event' | 'confidence'>,
  { review }: Pick<ProjectSettings, 'review'>,
): MemoryStanding {
  const isUnsure = confidence < unsureBelow;
  // A sure wish to forget is carried out: what is to be deleted can't wait as a memory.
  if (review === 'all' && event !== 'DELETE') return { status: 'candidate', review_reason: 'all' };
  if (review !== 'off' && isUnsure) return { status: 'candidate', review_reason: 'unsure' };
  return { status: 'active', review_reason: null };
}

/** Below this, a decision is more likely to be wrong than right. */
const unsureBelow = 0.5;

function quarantinedFor(review_reason: ReviewReason): MemoryStanding {
  return { status: 'quarantined', review_reason };
}

/** More is trusted more. */
function trustOf(source_class: SourceClass): number {
  return -sourceClasses.indexOf(source_class);
}
