import { type App, createApp } from '../../app/create-app.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Operation } from '../../contract/operation.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { applyScope } from '../../contract/scope/apply-scope.ts';
import { withFullIds } from '../../contract/scope/full-ids.ts';
import {
  checkLockedWrite,
  invokeInLockedScope,
} from '../../contract/scope/invoke-in-locked-scope.ts';
import { createScopeLock } from '../../contract/scope/memory-scope.ts';
import { contract, type OperationName, type Output } from '../../contract.ts';
import { configuredScope, createCommandLog } from './command-config.ts';

/**
 * Invokes operations in the configured scope, as the tools of the same name would, and takes short
 * ids where they do.
 */
export type ScopedInvoke = <N extends OperationName>(
  name: N,
  input: Readonly<Record<string, unknown>>,
) => Promise<Output<N>>;

/**
 * Opens the store, or connects to the configured instance, while `work` runs. Where the configured
 * project must exist, a local store does not create it, so that a mistyped name leaves no trace.
 */
export async function withScopedInvoke<T>(
  loaded: LoadedConfig,
  work: (call: ScopedInvoke) => Promise<T>,
  { project = 'is made' }: { project?: 'is made' | 'must exist' } = {},
): Promise<T> {
  const { values, busy_timeout_ms } = loaded;
  const app = createApp(values, {
    log: createCommandLog(loaded),
    creates_project: project === 'is made',
    ...(busy_timeout_ms !== undefined && { busy_timeout_ms }),
  });
  try {
    return await work(createScopedInvoke(app, loaded));
  } finally {
    await app.close();
  }
}

function createScopedInvoke(app: App, { values }: LoadedConfig): ScopedInvoke {
  const scope = configuredScope(values);
  const lock = createScopeLock({ scope, lock_scope: values.lock_scope });
  const { invoke, caller } = app;
  return async <N extends OperationName>(name: N, given: Readonly<Record<string, unknown>>) => {
    const operation: Operation = contract[name];
    const record = { name, operation };
    const scoped = applyScope(record, given, { scope, lock });
    const input = await withFullIds(record, scoped, { invoke, caller, scope, lock });
    if (!values.lock_scope) return invoke(name, input, { caller });
    const call = {
      record,
      input,
      parsed: parseInput(operation, input),
      lock,
      signal: new AbortController().signal,
      options: { invoke, caller, add_wait_ms: values.add_wait_ms },
    };
    await checkLockedWrite(call);
    // The lock only removes items from what the operation returns.
    return (await invokeInLockedScope(call)) as Output<N>;
  };
}
