import { type App, createApp } from '../app/create-app.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { applyScope } from '../contract/scope/apply-scope.ts';
import type { OperationName, Output } from '../contract.ts';
import { records } from '../mcp/tool.ts';
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
  const options = { scope: scopeOf(values), lock_scope: values.lock_scope };
  return (name, input) => {
    const record = records.find((candidate) => candidate.name === name);
    const scoped = record === undefined ? input : applyScope(record, input, options);
    return app.invoke(name, scoped, { caller: app.caller });
  };
}
