import type { Role } from '../../contract/schemas/member.ts';
import type { CallOptions, Contract, Output, Parsed } from '../../contract.ts';
import type { StoredOrganization, StoredProject } from './tenants.ts';

/** One call in progress: the caller, how to stop it, and how long to wait for a queued write. */
export type AccountCall = Pick<CallOptions, 'caller' | 'signal' | 'wait_ms'>;

/** A call about an organization that the caller can access, with the caller's role. */
export type OrganizationCall = AccountCall & { organization: StoredOrganization; role: Role };

/** A call in a project that the caller can access, with the caller's role. */
export type ProjectCall = AccountCall & { project: StoredProject; role: Role };

/** The subject of an operation decides which call its handler receives. */
export type CallOf<N extends keyof Contract> = Contract[N] extends { subject?: infer S }
  ? S extends 'organization'
    ? OrganizationCall
    : S extends 'account' | 'store'
      ? AccountCall
      : ProjectCall
  : ProjectCall;

export type Handlers = {
  [N in keyof Contract]: (input: Parsed<N>, call: CallOf<N>) => Promise<Output<N>>;
};
