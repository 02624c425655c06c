import { parseInput } from '../contract/parse-input.ts';
import {
  type CallOptions,
  type CheckAccess,
  type Contract,
  contract,
  type Invoke,
  type OperationName,
} from '../contract.ts';
import { createAuthorize, isSubjectGone } from './access.ts';
import { createAccountHandlers } from './handlers/account.ts';
import { createEntityHandlers } from './handlers/entities.ts';
import { createEventHandlers } from './handlers/events.ts';
import { createExportHandlers } from './handlers/exports.ts';
import { createIdHandlers } from './handlers/ids.ts';
import { createMemoryHandlers } from './handlers/memories.ts';
import { createOrganizationHandlers } from './handlers/organizations.ts';
import { createProfileHandlers } from './handlers/profiles.ts';
import { createProjectHandlers } from './handlers/projects.ts';
import { createWebhookHandlers } from './handlers/webhooks.ts';
import type { CallOf, Deps, Handlers } from './ports/index.ts';

/**
 * Throws what the operation would throw if the caller may not use it, and carries nothing out. A
 * subject that no longer exists has nothing left to protect.
 */
export function createCheckAccess({ store }: Pick<Deps, 'store'>): CheckAccess {
  const authorize = createAuthorize(store);
  return async (name, raw, { caller }) => {
    const record = contract[name];
    const input = parseInput(record, raw);
    if (await isSubjectGone(record, { input, caller }, store)) return;
    await authorize(record, { input, caller });
  };
}

/** The embedded engine: parses, authorizes, handles. Nothing else calls a handler. */
export function createInvoke(deps: Deps): Invoke {
  const handlers: Handlers = {
    ...createMemoryHandlers(deps),
    ...createExportHandlers(deps),
    ...createEntityHandlers(deps),
    ...createEventHandlers(deps),
    ...createWebhookHandlers(deps),
    ...createOrganizationHandlers(deps),
    ...createProjectHandlers(deps),
    ...createProfileHandlers(deps),
    ...createAccountHandlers(deps),
    ...createIdHandlers(deps),
  };

  const authorize = createAuthorize(deps.store);

  return async <N extends OperationName>(name: N, raw: unknown, options: CallOptions) => {
    const { caller, ...progress } = options;
    const record: Contract[N] = contract[name];
    const input = parseInput<Contract[N]['input']>(record, raw);
    const call = await authorize(record, { input, caller });
    progress.signal?.throwIfAborted();
    // The record's subject decides what `authorize` returns, and so does `CallOf`.
    const granted = { ...call, ...progress } as CallOf<N>;
    return handlers[name](input, granted);
  };
}
