import type { Toolset } from '../../contract/operation.ts';
import type { ScopeConfig } from '../../contract/scope/memory-scope.ts';
import type { Caller, Invoke } from '../../contract.ts';
import type { Log } from '../../log.ts';

export type McpOptions = ScopeConfig & {
  invoke: Invoke;
  caller: Caller;
  version: string;
  /** Which tools are offered; null for `toolsets` and `tools` is all of them. */
  toolsets: readonly Toolset[] | null;
  tools: readonly string[] | null;
  exclude_tools: readonly string[];
  read_only: boolean;
  /** How long an add waits for its event before it answers PENDING. */
  add_wait_ms: number;
  /** How long a tool may take, beyond what an add waits, before it is stopped. */
  tool_timeout_ms: number;
  /** Most tokens of a result, estimated, for each of its two channels. */
  result_max_tokens: number;
  /** Bulk deletes ask before they act. */
  confirm_destructive: boolean;
  /** The key of confirmations; replicas share it. */
  secret: () => Promise<string>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Callers are on other machines: what they read names no file of this one. */
  elsewhere?: boolean;
  log: Log;
};
