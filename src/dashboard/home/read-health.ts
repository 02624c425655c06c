import { isObject } from '../../contract/is-object.ts';
import { version } from '../../version.ts';
import { client, readInSession, viewer } from '../parts/session.ts';

/** What the server says about itself; null where only the owner of the store may know. */
export type ServerHealth = {
  isReady: boolean;
  words: string;
  version: string;
  engine: string | null;
};

export async function readHealth(): Promise<ServerHealth> {
  const [readiness, configuration] = await Promise.all([
    readReadiness(),
    viewer.value?.hasStore === true ? client.getConfiguration({}) : null,
  ]);
  const url = configuration?.values.database_url ?? null;
  return {
    ...readiness,
    version: configuration?.version ?? version,
    engine: configuration === null ? null : url === null ? 'SQLite' : 'PostgreSQL',
  };
}

/** Asks whether the server is ready, at the address for load balancers. */
async function readReadiness(): Promise<{ isReady: boolean; words: string }> {
  const response = await readInSession('/readyz', {}).catch(() => null);
  if (response === null) return { isReady: false, words: 'The server does not answer' };
  if (response.ok) return { isReady: true, words: 'The server is ready' };
  const body: unknown = await response.json().catch(() => null);
  const reason = isObject(body) && typeof body.message === 'string' ? body.message : 'not ready';
  return { isReady: false, words: `The server is ${reason}` };
}
