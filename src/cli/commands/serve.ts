import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app/create-app.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { hasEmbedder } from '../../config/model-options.ts';
import { ApiError } from '../../contract/errors.ts';
import { configuredScope } from '../../contract/scope/memory-scope.ts';
import { type Log, printToStderr } from '../../log.ts';
import type { McpHttp, McpHttpOptions } from '../../mcp/http.ts';
import { createRestApp, type RestOptions } from '../../rest/app.ts';
import { type FetchHandler, type HttpListener, listen } from '../../rest/server/listen.ts';
import { createStartingHandler } from '../../rest/server/starting-handler.ts';
import { version } from '../../version.ts';
import type { RunCommand } from '../command-line/command.ts';
import { loadLocalConfig } from '../context/command-config.ts';
import { withApp } from '../context/with-app.ts';

/** Serves REST and MCP until a signal arrives, then finishes requests and closes the store. */
export const run: RunCommand = async ({ flags, positionals }) => {
  if (positionals.length > 0) throw new ApiError('invalid', `unexpected ${positionals.join(' ')}`);
  const loaded = await loadLocalConfig({ flags }, 'serve');
  const stopped = waitForSignal();
  return withApp(loaded, async (app, log) => {
    const server = await startServing({ app, loaded, log, stopped });
    try {
      printToStderr(`listening on ${server.url}`);
      if (loaded.values.mcp) printToStderr(`MCP at ${server.url}/mcp`);
      printToStderr(`dashboard at ${server.url}/dashboard`);
      printToStderr(`documentation of the API at ${server.url}/docs`);
      await stopped;
      return 0;
    } finally {
      await server.close();
    }
  });
};

type ServeContext = { app: App; loaded: LoadedConfig; log: Log } & Pick<
  McpHttpOptions,
  'createServer'
>;

type ServingOptions = ServeContext & {
  stopped?: Promise<void>;
  /** Whether a store without API keys gets one, which is printed; true by default. */
  makes_key?: boolean;
};

/**
 * Listens as configured, and answers "starting" until the store is open, because its tables may
 * need an update first. Closing lets requests finish; the app stays open.
 */
export async function startServing({
  stopped,
  makes_key = true,
  ...served
}: ServingOptions): Promise<Pick<HttpListener, 'url' | 'close'>> {
  const { values } = served.loaded;
  let answer: FetchHandler = createStartingHandler(served.log);
  const listening = await listen((...request) => answer(...request), values);
  let isStarted = false;
  // A migration is atomic, and one in another process may take long: do not wait for either.
  void stopped?.then(() => isStarted || process.exit(0));
  try {
    await served.app.prepare();
    const serving = await createService(served, listening);
    // Only once the address is ours: the key of a server that failed to start would be lost.
    if (makes_key) await announceBootstrapKey(served.app, values);
    answer = serving.fetch;
    isStarted = true;
    return serving;
  } catch (error) {
    await listening.close();
    throw error;
  }
}

async function createService(served: ServeContext, { url, drain, close }: HttpListener) {
  const { shutdown_delay_ms } = served.loaded.values;
  const state = { retires: false, accepts: true };
  const options = restOptions(served);
  const mcp = served.loaded.values.mcp ? await createMcpMount(served, options) : null;
  const { fetch } = createRestApp({
    ...options,
    mounts: mcp?.mounts ?? [],
    draining: () => state.retires,
    accepting: () => state.accepts,
  });
  return {
    url,
    fetch,
    close: async () => {
      state.retires = true;
      drain();
      await sleep(shutdown_delay_ms);
      state.accepts = false;
      await Promise.all([mcp?.close(), close()]);
    },
  };
}

async function createMcpMount(served: ServeContext, rest: RestOptions) {
  const protection = await createProtectedResource(served, rest);
  const mcp = await loadMcpHttp(served);
  return {
    mounts: [{ ...mcp, path: '/mcp', ...(protection && { protection }) }],
    close: async () => {
      await mcp.close();
      await protection?.close();
    },
  };
}

/**
 * Accepts tokens of the configured issuer as well as keys; null, and not loaded, without an
 * issuer.
 */
async function createProtectedResource(
  { app, loaded: { values }, log }: ServeContext,
  { authenticate }: RestOptions,
) {
  const { oauth_issuer: issuer, oauth_audience: audience } = values;
  if (issuer === null) return null;
  const { createTokenVerifier } = await import('../../app/oauth/token-verifier.ts');
  const tokens = createTokenVerifier(values, { engine: await app.open(), log, now: Date.now });
  const isAddress = audience !== null && /^https?:\/\/[^/?#]+(\/[^?#]*)?\/mcp$/.test(audience);
  return {
    issuer,
    resource: isAddress ? audience : null,
    scopes: { read: values.oauth_read_scope, write: values.oauth_write_scope },
    authenticate: async (token: string) => {
      return (await authenticate(token)) ?? tokens.authenticate(token);
    },
    close: tokens.close,
  };
}

async function loadMcpHttp({ app, loaded, log, ...factories }: ServeContext): Promise<McpHttp> {
  const { createMcpHttp, defaultAllowedHosts } = await import('../../mcp/http.ts');
  const { values, sources } = loaded;
  const { org_id: _org, project_id: _project, user_id, ...scope } = configuredScope(values);
  // A caller over the network is not the user who started the server.
  const isMeant = user_id !== undefined && sources.user_id !== 'default';
  return createMcpHttp({
    ...values,
    ...factories,
    invoke: app.invoke,
    secret: app.secret,
    // The key decides about organization and project.
    scope: isMeant ? { ...scope, user_id } : scope,
    allowed_hosts: values.allowed_hosts ?? defaultAllowedHosts(values.host),
    version,
    now: Date.now,
    log,
  });
}

function restOptions({ app, loaded: { values }, log }: ServeContext): RestOptions {
  return {
    ...values,
    invoke: app.invoke,
    authenticate: async (token) => {
      const key = await app.keys.authenticate(token);
      return key === null ? null : { ...key, rate_key: key.key_id };
    },
    login: {
      secret: app.secret,
      ownerId: async () => (await (await app.open()).store.accounts.getFirst()).account_id,
      elapsed: () => performance.now(),
    },
    checkAccess: app.checkAccess,
    sessions: app.sessions,
    answers: app.idempotency,
    ready: app.ready,
    storeVersion: app.storeVersion,
    metrics: {
      queue_depth: app.queueDepth,
      ...(hasEmbedder(values) && { embedding: app.embedding }),
      process: true,
    },
    version,
    now: Date.now,
    log,
  };
}

/** The first start on an empty store creates a key; its text cannot be shown again. */
async function announceBootstrapKey(
  app: App,
  { bootstrap_key }: LoadedConfig['values'],
): Promise<void> {
  const key = await app.keys.bootstrap();
  if (key !== null) printToStderr(`API key, shown only now: ${key}`);
  else if (bootstrap_key === null) {
    printToStderr('The store has an API key already; mneme keys create makes another one.');
  }
}

export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
}
