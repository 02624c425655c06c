import { type App, createApp } from '../app.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { OperationName, Output } from '../contract/index.ts';
import { applyScope } from '../mcp/scope.ts';
import { lockedFields, records } from '../mcp/tool.ts';
import { logOf, scopeOf } from './configured.ts';

/** Carries out operations in the configured scope, as the tools of the same name would. */
export type Scoped = <N extends OperationName>(
  name: N,
  input: Readonly<Record<string, unknown>>,
) => Promise<Output<N>>;

/** Opens the store, or reaches the configured instance, for as long as the work takes. */
export async function withScoped<T>(
  loaded: LoadedConfig,
  work: (call: Scoped) => Promise<T>,
): Promise<T> {
  const app = createApp(loaded.values, { log: logOf(loaded) });
  try {
    return await work(scopedCalls(app, loaded));
  } finally {
    await app.close();
  }
}

function scopedCalls(app: App, { values }: LoadedConfig): Scoped {
  const scope = scopeOf(values);
  const locked = lockedFields({ scope, lock_scope: values.lock_scope });
  return (name, input) => {
    const record = records.find((candidate) => candidate.name === name);
    const scoped = record === undefined ? input : applyScope(record, input, { scope, locked });
    return app.invoke(name, scoped, { caller: app.caller });
  };
}
