import type * as z from 'zod';
import { account } from './contract/operations/account.ts';
import { audit } from './contract/operations/audit.ts';
import { changes } from './contract/operations/changes.ts';
import { context } from './contract/operations/context.ts';
import { entities } from './contract/operations/entities.ts';
import { events } from './contract/operations/events.ts';
import { exportOperations } from './contract/operations/exports.ts';
import { graph } from './contract/operations/graph.ts';
import { history } from './contract/operations/history.ts';
import { shortIds } from './contract/operations/ids.ts';
import { imports } from './contract/operations/imports.ts';
import { invitations } from './contract/operations/invitations.ts';
import { apiKeys } from './contract/operations/keys.ts';
import { memories } from './contract/operations/memories.ts';
import { organizations } from './contract/operations/organizations.ts';
import { projects } from './contract/operations/projects.ts';
import { recalls } from './contract/operations/recalls.ts';
import { reviews } from './contract/operations/reviews.ts';
import { storeOperations } from './contract/operations/store.ts';
import { webhooks } from './contract/operations/webhooks.ts';
import type { Role } from './contract/schemas/member.ts';
import type { MemoryScope } from './contract/scope/memory-scope.ts';

/** The table of all operations of the API, by name. */
export const contract = {
  ...memories,
  ...context,
  ...history,
  ...graph,
  ...changes,
  ...recalls,
  ...exportOperations,
  ...imports,
  ...entities,
  ...events,
  ...webhooks,
  ...organizations,
  ...invitations,
  ...projects,
  ...reviews,
  ...account,
  ...apiKeys,
  ...shortIds,
  ...audit,
  ...storeOperations,
};

export type Contract = typeof contract;
export type OperationName = keyof Contract;

/** The input that a caller sends, before defaults are filled in. */
export type Input<N extends OperationName> = z.input<Contract[N]['input']>;
/** The input that a handler receives, parsed and with defaults. */
export type Parsed<N extends OperationName> = z.output<Contract[N]['input']>;
export type Output<N extends OperationName> = z.output<Contract[N]['output']>;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(contract, name);
}

/** The resolved caller: a face authenticates it, core authorizes it. */
export type Caller = {
  /** The account of the key; null is the local user, who owns everything in the store. */
  account_id: string | null;
  /** The key or token; absent for local callers. */
  key_id?: string;
  /** The organization and project of requests that name none; null is the account's default. */
  org_id: string | null;
  project_id: string | null;
  /** The limit of the key: it reaches nothing outside `project_id`, or outside `org_id`. */
  bound_to: 'project' | 'organization' | null;
  /** True when the key may only read, whatever the account's role. */
  read_only: boolean;
  /**
   * A role that the credential grants where it is bound to; otherwise the account's role holds.
   */
  role?: Role;
  /**
   * The only ids that the caller reaches, in every operation: what carries others is hidden from it
   * as if it did not exist. The organization and project may be given by name.
   */
  lock?: MemoryScope;
};

export type CallOptions = {
  caller: Caller;
  signal?: AbortSignal;
  /**
   * How long to wait for a write that runs in the background, in milliseconds. The output holds its
   * results, or PENDING when it takes longer. If absent, `async_mode` decides.
   */
  wait_ms?: number;
  /** One of a stream's many polls; those that find nothing are not audited. */
  isPoll?: true;
};

/** Throws what a call would throw if the caller may not make it; carries nothing out. */
export type CheckAccess = (
  name: OperationName,
  input: unknown,
  options: Pick<CallOptions, 'caller'>,
) => Promise<void>;

/** The single entry point: runs one operation, in this process or on a remote instance. */
export type Invoke = <N extends OperationName>(
  name: N,
  input: unknown,
  options: CallOptions,
) => Promise<Output<N>>;
