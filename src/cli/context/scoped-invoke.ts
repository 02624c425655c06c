import { type App, createApp } from '../../app/create-app.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { applyScope } from '../../contract/scope/apply-scope.ts';
import { withFullIds } from '../../contract/scope/full-ids.ts';
import { createScopeLock } from '../../contract/scope/memory-scope.ts';
import { contract, type OperationName, type Output } from '../../contract.ts';
import { configuredScope, createCommandLog } from './command-config.ts';

/** Invokes operations in the configured scope and with short ids, as tools would. */
export type ScopedInvoke = <N extends OperationName>(
  name: N,
  input: Readonly<Record<string, unknown>>,
) => Promise<Output<N>>;

/** Opens the store, or connects to the configured instance, while `work` runs. */
export async function withScopedInvoke<T>(
  loaded: LoadedConfig,
  work: (call: ScopedInvoke) => Promise<T>,
): Promise<T> {
  const app = createApp(loaded.values, { log: createCommandLog(loaded) });
  try {
    return await work(createScopedInvoke(app, loaded));
  } finally {
    await app.close();
  }
}

function createScopedInvoke(app: App, { values }: LoadedConfig): ScopedInvoke {
  const scope = configuredScope(values);
  const lock = createScopeLock({ scope, lock_scope: values.lock_scope });
  return async (name, input) => {
    const operation = contract[name];
    const scoped = applyScope({ operation }, input, { scope, lock });
    const known = await withFullIds({ operation }, scoped, { ...app, scope, lock });
    return app.invoke(name, known, { caller: app.caller });
  };
}
