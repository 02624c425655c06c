import type { Toolset } from '../../contract/operation.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { Caller, Invoke } from '../../contract.ts';
import type { Log } from '../../log.ts';

/** Fields that say whose memories a call concerns. */
export const scopeFields = [
  'org_id',
  'project_id',
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
] as const;
export type ScopeField = 'org_id' | 'project_id' | keyof EntityIds;

export type CallScope = { [field in ScopeField]?: string | undefined };

export type McpOptions = {
  invoke: Invoke;
  caller: Caller;
  version: string;
  /** Where a call goes that names no scope of its own. */
  scope: CallScope;
  /** The configured scope is all there is: its fields disappear and can't be overridden. */
  lock_scope: boolean;
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
