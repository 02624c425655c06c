import { isReadOnly, type Operation } from '../contract/operation.ts';
import { parseInput } from '../contract/parse-input.ts';
import {
  type CheckAccess,
  type Contract,
  contract,
  type Invoke,
  type OperationName,
  type Output,
} from '../contract.ts';
import { createAuthorize, isSubjectGone } from './access.ts';
import { auditedInvoke, type ObservedOptions } from './audit/audited-invoke.ts';
import { createAccountHandlers } from './handlers/account.ts';
import { createAuditHandlers } from './handlers/audit.ts';
import { createChangeHandlers } from './handlers/changes.ts';
import { createContextHandlers } from './handlers/context.ts';
import { createEntityHandlers } from './handlers/entities.ts';
import { createEventHandlers } from './handlers/events.ts';
import { createExportHandlers } from './handlers/exports.ts';
import { createGraphHandlers } from './handlers/graph.ts';
import { createHistoryHandlers } from './handlers/history.ts';
import { createIdHandlers } from './handlers/ids.ts';
import { createImportHandlers } from './handlers/imports.ts';
import { createInvitationHandlers } from './handlers/invitations.ts';
import { createKeyHandlers } from './handlers/keys.ts';
import { createMemoryHandlers } from './handlers/memories.ts';
import { createOrganizationHandlers } from './handlers/organizations.ts';
import { createProfileHandlers } from './handlers/profiles.ts';
import { createProjectHandlers } from './handlers/projects.ts';
import { createRecallHandlers } from './handlers/recalls.ts';
import { createReviewHandlers } from './handlers/reviews.ts';
import { createStoreHandlers } from './handlers/store.ts';
import { createWebhookHandlers } from './handlers/webhooks.ts';
import { withActingKey } from './history/acting-key.ts';
import type { CallOf, Deps, Handlers } from './ports/index.ts';
import { redactInput } from './safety/redact-input.ts';

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
    ...createContextHandlers(deps),
    ...createHistoryHandlers(deps),
    ...createGraphHandlers(deps),
    ...createChangeHandlers(deps),
    ...createRecallHandlers(deps),
    ...createExportHandlers(deps),
    ...createImportHandlers(deps),
    ...createEntityHandlers(deps),
    ...createEventHandlers(deps),
    ...createWebhookHandlers(deps),
    ...createOrganizationHandlers(deps),
    ...createInvitationHandlers(deps),
    ...createProjectHandlers(deps),
    ...createReviewHandlers(deps),
    ...createProfileHandlers(deps),
    ...createAccountHandlers(deps),
    ...createKeyHandlers(deps),
    ...createIdHandlers(deps),
    ...createAuditHandlers(deps),
    ...createStoreHandlers(deps),
  };

  const authorize = createAuthorize(deps.store);

  const invoke = async <N extends OperationName>(
    name: N,
    raw: unknown,
    { caller, onGranted, ...progress }: ObservedOptions,
  ): Promise<Output<N>> => {
    const record: Contract[N] = contract[name];
    const parsed = parseInput<Contract[N]['input']>(record, raw);
    // Few callers are locked.
    const scopeLock = caller.lock === undefined ? null : await import('./scope-lock.ts');
    scopeLock?.checkSubject(name, record, caller);
    const call = await authorize(record, { input: parsed, caller });
    if ('project' in call) onGranted?.(call.project);
    progress.signal?.throwIfAborted();
    const project = 'project' in call ? call.project : null;
    const locked = { name, operation: record, input: parsed, caller, project };
    const input = scopeLock === null ? parsed : await scopeLock.keepWithinLock(locked, deps.store);
    // The record's subject decides what `authorize` returns, and so does `CallOf`.
    const granted = { ...call, ...progress } as CallOf<N>;
    const kept = storesTexts(record) ? await redactInput(input, deps.secrets) : input;
    return withActingKey(caller.key_id, () => handlers[name](kept, granted));
  };
  return deps.audit === undefined ? invoke : auditedInvoke(invoke, deps.audit);
}

/** Deletes and erasures store nothing of what they are told: it selects, and stays as it is. */
function storesTexts(record: Operation): boolean {
  const deletes = record.routes.some(({ method }) => method === 'DELETE');
  return !isReadOnly(record) && !deletes && record.tool?.confirm === undefined;
}
