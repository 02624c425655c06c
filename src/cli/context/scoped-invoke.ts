import { type App, createApp } from '../../app/create-app.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { applyScope } from '../../contract/scope/apply-scope.ts';
import { createScopeLock } from '../../contract/scope/memory-scope.ts';
import type { OperationName, Output } from '../../contract.ts';
import { toolRecords } from '../../mcp/tools/tool-records.ts';
import { configuredScope, createCommandLog } from './command-config.ts';

/** Invokes operations in the configured scope, as the tools of the same name would. */
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
  return (name, input) => {
    const record = toolRecords.find((candidate) => candidate.name === name);
    const scoped = record === undefined ? input : applyScope(record, input, { scope, lock });
    return app.invoke(name, scoped, { caller: app.caller });
  };
}
