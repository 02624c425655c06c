import type { MemoryStatus, ReviewReason, SourceClass } from '../../contract/schemas/memory.ts';
import { sourceClasses } from '../../contract/schemas/memory.ts';
import type { ProjectSettings } from '../../contract/schemas/project.ts';
import { looksLikeInjection } from './prompt-injection.ts';

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

/** The settings of a project that decide what waits for a review. */
export type TrustPolicy = Pick<ProjectSettings, 'trust_min' | 'quarantine_flagged'>;

export type MemoryStanding = { status: MemoryStatus; review_reason: ReviewReason | null };

/** Whether a text is recalled at once, and if not, why it waits. */
export function standingOf(
  { text, source_class }: { text: string; source_class: SourceClass },
  { trust_min, quarantine_flagged }: TrustPolicy,
): MemoryStanding {
  if (trustOf(source_class) < trustOf(trust_min)) return quarantinedFor('source');
  if (quarantine_flagged && looksLikeInjection(text)) return quarantinedFor('flagged');
  return { status: 'active', review_reason: null };
}

function quarantinedFor(review_reason: ReviewReason): MemoryStanding {
  return { status: 'quarantined', review_reason };
}

/** More is trusted more. */
function trustOf(source_class: SourceClass): number {
  return -sourceClasses.indexOf(source_class);
}
