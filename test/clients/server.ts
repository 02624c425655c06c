import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, spawnService } from '../e2e/service.ts';

/** The built server with a folder of its own, for all tests of a block. */
export type Server = Service & { stop(): Promise<void> };

/** Starts the server on an empty store; settings are options of the configuration. */
export async function startServer(
  settings: Record<string, string> = {},
  others: Record<string, string> = {},
): Promise<Server> {
  const data_dir = await mkdtemp(join(tmpdir(), 'mneme-clients-'));
  const options = Object.entries({ request_log: 'false', ...settings });
  const env = options.map(([name, value]) => [`MNEME_${name.toUpperCase()}`, value]);
  const service = await spawnService({ data_dir, env: { ...Object.fromEntries(env), ...others } });
  const stop = async () => {
    service.kill('SIGTERM');
    await service.exited;
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { ...service, stop };
}
