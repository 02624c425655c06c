import type * as z from 'zod';
import { account } from './contract/operations/account.ts';
import { entities } from './contract/operations/entities.ts';
import { events } from './contract/operations/events.ts';
import { exportOperations } from './contract/operations/exports.ts';
import { memories } from './contract/operations/memories.ts';
import { organizations } from './contract/operations/organizations.ts';
import { projects } from './contract/operations/projects.ts';
import { webhooks } from './contract/operations/webhooks.ts';
import type { Role } from './contract/schemas/member.ts';

/** The one table: each operation of the API, by its name. */
export const contract = {
  ...memories,
  ...exportOperations,
  ...entities,
  ...events,
  ...webhooks,
  ...organizations,
  ...projects,
  ...account,
};

export type Contract = typeof contract;
export type OperationName = keyof Contract;

/** What a caller sends: before defaults are filled in. */
export type Input<N extends OperationName> = z.input<Contract[N]['input']>;
/** What a handler receives: parsed, with defaults. */
export type Parsed<N extends OperationName> = z.output<Contract[N]['input']>;
export type Output<N extends OperationName> = z.output<Contract[N]['output']>;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(contract, name);
}

/** Who calls, resolved: a face authenticates, core authorizes. */
export type Caller = {
  /** Whose key this is; null is the local user, who owns everything in the store. */
  account_id: string | null;
  /** Where a request goes that names no organization or project; null is the account's default. */
  org_id: string | null;
  project_id: string | null;
  /** What the key is bound to: it reaches nothing outside `project_id`, or outside `org_id`. */
  bound_to: 'project' | 'organization' | null;
  /** True when the key may only read, whatever the account's role. */
  read_only: boolean;
  /** The role that the credential itself gives where it is bound to; else it is the account's. */
  role?: Role;
};

export type CallOptions = {
  caller: Caller;
  signal?: AbortSignal;
  /**
   * How long to wait for a write that is carried out in the background, in milliseconds. The
   * answer is what it did, or PENDING when it takes longer. Where absent, `async_mode` decides.
   */
  wait_ms?: number;
};

/** The single entrance: carries out one operation, here or on a remote instance. */
export type Invoke = <N extends OperationName>(
  name: N,
  input: unknown,
  options: CallOptions,
) => Promise<Output<N>>;
