import { invalid } from '../../contract/errors.ts';
import type { Decision, Deps, Instant, StoredMemory, Validity } from '../ports/index.ts';
import { type AddContext, saidAt } from './add-context.ts';

/** When a decision is true: as the caller says, or else as its words say. */
export function validityOf(
  { validity }: Pick<Decision, 'validity'>,
  { valid_from, valid_until }: AddContext,
): Validity {
  return {
    valid_from: valid_from === undefined ? (validity?.valid_from ?? null) : valid_from,
    valid_until: valid_until === undefined ? (validity?.valid_until ?? null) : valid_until,
  };
}

/**
 * Since when it is true instead of another memory: as it is known, or else since it happened, or
 * since it was said. A birthday to come says nothing of that.
 */
export function trueSince(
  decision: Pick<Decision, 'validity' | 'occurred'>,
  { deps, scope }: { deps: Pick<Deps, 'clock'>; scope: AddContext },
): Instant {
  const { valid_from } = validityOf(decision, scope);
  const stated_at = saidAt(deps, scope);
  const at = decision.occurred?.at ?? stated_at;
  return valid_from ?? (at < stated_at ? at : stated_at);
}

/** When what is superseded ceased to be true: it never was if the other began first. */
export function supersededAt({ valid_from }: Pick<StoredMemory, 'valid_from'>, since: Instant) {
  return valid_from !== null && valid_from > since ? valid_from : since;
}

/** An older value of a slot was true until the newer one was. */
export function validBefore(
  { valid_from, created_at }: Pick<StoredMemory, 'valid_from' | 'created_at'>,
  { validity, occurred }: Pick<Decision, 'validity' | 'occurred'>,
): Validity {
  const from = validity?.valid_from ?? null;
  const until = valid_from ?? created_at;
  const begun = from ?? occurred?.at ?? null;
  const isBefore = begun === null || begun < until;
  return { valid_from: from, valid_until: validity?.valid_until ?? (isBefore ? until : null) };
}

export type ValidityUpdates = {
  text?: string | undefined;
  valid_from?: Instant | null | undefined;
  valid_until?: Instant | null | undefined;
};

/**
 * What an update changes of the validity of a memory. With a new text, `valid_from` says when that
 * supersedes the old one; without it, the old text was wrong. Throws if it would end before it
 * begins.
 */
export function updateValidity(
  memory: StoredMemory,
  { text, valid_from, valid_until }: ValidityUpdates,
): { patch: Partial<Validity>; superseded_at?: Instant } {
  const isNewFact = text !== undefined && text !== memory.memory && Boolean(valid_from);
  const patch = {
    ...(valid_from !== undefined && { valid_from }),
    ...(valid_until !== undefined && { valid_until }),
    ...(isNewFact && { valid_until: valid_until ?? null }),
  };
  const { valid_from: from, valid_until: until } = { ...memory, ...patch };
  if (from !== null && until !== null && from >= until) {
    const [field, problem] =
      valid_until === undefined
        ? ['valid_from', `must be before ${until}, its valid_until`]
        : ['valid_until', `must be after ${from}, its valid_from`];
    throw invalid(field, problem);
  }
  return isNewFact && valid_from
    ? { patch, superseded_at: supersededAt(memory, valid_from) }
    : { patch };
}
