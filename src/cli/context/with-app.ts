import { type App, createApp } from '../../app/create-app.ts';
import type { OpenEngineOptions } from '../../app/engine.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Log } from '../../log.ts';
import { createCommandLog } from './command-config.ts';

type Opened = LoadedConfig & Pick<OpenEngineOptions, 'creates_project'>;

/** Opens the store, or connects to the configured instance, while `work` runs. */
export async function withApp<T>(
  { creates_project = true, ...loaded }: Opened,
  work: (app: App, log: Log) => Promise<T>,
): Promise<T> {
  const log = createCommandLog(loaded);
  const { values, sources, busy_timeout_ms } = loaded;
  const app = createApp(values, {
    log,
    sources,
    creates_project,
    ...(busy_timeout_ms !== undefined && { busy_timeout_ms }),
  });
  try {
    return await work(app, log);
  } finally {
    await app.close();
  }
}
