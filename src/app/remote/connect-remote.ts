import { randomBytes } from 'node:crypto';
import { type Deadline, withDeadline } from '../../client/deadline.ts';
import { pingRequest } from '../../client/http-connection.ts';
import {
  type Fetch,
  invokeOnConnection,
  openRemoteConnection,
  type RemoteConnection,
} from '../../client/http-invoke.ts';
import { isNotFound } from '../../client/remote-errors.ts';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { contract, type Invoke } from '../../contract.ts';
import type { Logger, RemoteInstance } from '../../core/ports/index.ts';
import { openHttpPool } from '../http-pool.ts';
import { isLoopback } from '../loopback.ts';
import { createApiKeyCommand } from './api-key-command.ts';

export type RemoteConfig = Pick<
  Config,
  'api_key' | 'api_key_command' | 'remote_timeout_ms' | 'org_id' | 'project_id' | 'read_only'
> & { base_url: string };

/** A remote instance instead of the local engine. */
export type RemoteEngine = {
  invoke: Invoke;
  /** Signs confirmations of this process; another process asks again. */
  secret: string;
  /** Opens a connection and learns which server responds. */
  prepare(): Promise<void>;
  close(): Promise<void>;
};

export function connectRemote(config: RemoteConfig, log: Logger): RemoteEngine {
  const { base_url, read_only } = config;
  if (isUnencrypted(base_url)) {
    log('warn', 'base_url is http: the key and all memories are sent unencrypted');
  }
  const { remote, close } = openConfiguredRemote(config, log);
  const carryOut = invokeOnConnection(remote, config);
  const send: Invoke = async (name, input, { caller: _, ...options }) => {
    if (read_only && contract[name].scope.endsWith(':write')) {
      throw new ApiError('forbidden', 'this configuration is read-only');
    }
    return carryOut(name, input, options);
  };
  const invoke: Invoke = async (name, input, options) => {
    if (options.caller.lock === undefined) return send(name, input, options);
    const { keepRemoteWithinLock } = await import('./locked-invoke.ts'); // few callers are locked
    return keepRemoteWithinLock(send)(name, input, options);
  };
  return {
    invoke,
    secret: randomBytes(32).toString('hex'),
    prepare: () => withDeadline(remote, undefined, (deadline) => pingRemote(remote, deadline)),
    close,
  };
}

/** Not every server knows ping, but a refused key or a missing server shows. */
async function pingRemote(remote: RemoteConnection, deadline: Deadline): Promise<void> {
  await remote.send(pingRequest, deadline).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/** True when requests are sent unencrypted over a network. */
export function isUnencrypted(url: string): boolean {
  return url.startsWith('http:') && !isLoopback(url);
}

/** The configured remote, with its own connection. */
export function openConfiguredRemote(
  { base_url, remote_timeout_ms: timeout_ms, ...config }: RemoteConfig,
  log: Logger,
  more: { tries_max?: number } = {},
): { remote: RemoteConnection; close(): Promise<void> } {
  const { fetch, close } = openHttpPool({ url: base_url, timeout_ms });
  const remote = openRemoteConnection({
    base_url,
    api_key: apiKeySource(config),
    fetch,
    timeout_ms,
    log,
    ...more,
  });
  return { remote, close };
}

function apiKeySource({ api_key, api_key_command }: Pick<Config, 'api_key' | 'api_key_command'>) {
  if (api_key !== null) return api_key;
  if (api_key_command !== null) return createApiKeyCommand(api_key_command);
  throw new ApiError('unauthorized', 'base_url is set, but api_key is not', {
    next: 'Ask the user to set api_key (MNEME_API_KEY) or api_key_command.',
  });
}

type ImportSourceOptions = Pick<Config, 'remote_timeout_ms'> & {
  url: string;
  api_key: string;
  log: Logger;
};

/** An import waits for busy servers and rate limits. */
const importRetryPolicy = {
  timeout_ms: 10 * 60_000,
  tries_max: 6,
  pause_ms: 500,
};

/** Another instance to import from. One that is silent for `remote_timeout_ms` is given up. */
export function openImportSource(
  { url, api_key, remote_timeout_ms, log }: ImportSourceOptions,
  patience: Partial<typeof importRetryPolicy> = {},
): RemoteInstance & { close(): Promise<void> } {
  const tries = { ...importRetryPolicy, ...patience };
  const { fetch, close } = openHttpPool({ url, timeout_ms: tries.timeout_ms });
  const inTime = limitTime(fetch, { url, remote_timeout_ms });
  const remote = openRemoteConnection({ base_url: url, api_key, fetch: inTime, log, ...tries });
  return {
    request: ({ method, path, query = {}, body = null }) => {
      const search = new URLSearchParams(query).toString();
      const target = search === '' ? path : `${path}?${search}`;
      const asked = { method, path: target, body, effect: 'reads' } as const;
      return withDeadline(remote, undefined, async (deadline) => {
        return (await remote.send(asked, deadline)).body;
      });
    },
    close,
  };
}

/** Ends a request that takes too long with an error that no further try follows. */
function limitTime(
  fetch: Fetch,
  { url, remote_timeout_ms }: Pick<ImportSourceOptions, 'url' | 'remote_timeout_ms'>,
): Fetch {
  return (address, init) => {
    const late = new AbortController();
    const what = `gave no answer within ${remote_timeout_ms} ms`;
    const problem = `the remote at ${new URL(url).host} ${what}`;
    const end = () => late.abort(new ApiError('unavailable', problem));
    setTimeout(end, remote_timeout_ms).unref();
    return fetch(address, { ...init, signal: AbortSignal.any([init.signal, late.signal]) });
  };
}
