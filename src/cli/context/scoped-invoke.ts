import type { App } from '../../app/create-app.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Operation } from '../../contract/operation.ts';
import { applyScope } from '../../contract/scope/apply-scope.ts';
import { withFullIds } from '../../contract/scope/full-ids.ts';
import { configuredScope, lockedFields } from '../../contract/scope/memory-scope.ts';
import { contract, type OperationName, type Output } from '../../contract.ts';

import { withApp } from './with-app.ts';

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
export function withScopedInvoke<T>(
  loaded: LoadedConfig,
  work: (call: ScopedInvoke) => Promise<T>,
  { project = 'is made' }: { project?: 'is made' | 'must exist' } = {},
): Promise<T> {
  const creates_project = project === 'is made';
  return withApp({ ...loaded, creates_project }, (app) => work(createScopedInvoke(app, loaded)));
}

function createScopedInvoke(app: App, { values }: LoadedConfig): ScopedInvoke {
  const scope = configuredScope(values);
  const locked = lockedFields({ scope, lock_scope: values.lock_scope });
  const { invoke, caller } = app;
  return async (name, callInput) => {
    const record = { operation: contract[name] as Operation };
    const scoped = applyScope(record, callInput, { scope, locked });
    const input = await withFullIds(record, scoped, { invoke, caller, scope });
    return invoke(name, input, { caller });
  };
}
