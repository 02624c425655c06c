import type { Toolset } from '../../contract/operation.ts';
import type { ScopeConfig } from '../../contract/scope/memory-scope.ts';
import type { Caller, Invoke } from '../../contract.ts';
import type { Log } from '../../log.ts';

export type McpOptions = ScopeConfig & {
  invoke: Invoke;
  caller: Caller;
  version: string;
  /** The tools to offer; null for `toolsets` and `tools` means all. */
  toolsets: readonly Toolset[] | null;
  tools: readonly string[] | null;
  exclude_tools: readonly string[];
  read_only: boolean;
  /** Free-form objects are listed as JSON text. */
  strict_schemas: boolean;
  /** How long an add waits for its event before it answers PENDING. */
  add_wait_ms: number;
  /** How long a tool may run, in addition to the wait of an add, before it is stopped. */
  tool_timeout_ms: number;
  /** Estimated maximum of tokens in each of the two channels of a result. */
  result_max_tokens: number;
  /** Bulk deletes need confirmation. */
  confirm_destructive: boolean;
  /** Whether a person approves what sends data out, or decides who may read or what is recalled. */
  admin_approval: 'off' | 'forms' | 'required';
  /** The key that signs confirmations; replicas share it. */
  secret: () => Promise<string>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Callers are on other machines, so errors must not name files of this one. */
  elsewhere?: boolean;
  /** The time zone of dates, unless a call names another. Default: UTC. */
  timezone?: string;
  log: Log;
};
