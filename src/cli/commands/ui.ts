import type { App } from '../../app/create-app.ts';
import { environment } from '../../config/environment.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { type Log, printToStderr } from '../../log.ts';
import { createLink, type LinkRights } from '../../rest/auth/login-links.ts';
import type { HttpListener } from '../../rest/server/listen.ts';
import type { RunCommand } from '../command-line/command.ts';
import { requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { withApp } from '../context/with-app.ts';
import { currentPlatform } from '../init/environment.ts';
import { print, printJson } from '../io/output.ts';
import { type FoundServer, findServer } from '../ui/find-server.ts';
import { hasBrowser, openBrowser } from '../ui/open-browser.ts';

/** Opens the dashboard; where no server of this store runs, it serves until a signal arrives. */
export const run: RunCommand = async ({ flags, positionals }) => {
  requirePositionals(positionals);
  const show = { prints: flags.print === true, asJson: wantsJsonOutput(flags) };
  const loaded = await loadCommandConfig({ flags });
  const { base_url } = loaded.values;
  if (base_url !== null) return openRemote(base_url, show);
  // To look at a mistyped project does not create it.
  return withApp({ ...loaded, creates_project: false }, async (app, log) => {
    await openLocal({ app, loaded, log }, show);
    return 0;
  });
};

type UiContext = { app: App; loaded: LoadedConfig; log: Log };
type ShowOptions = { prints: boolean; asJson: boolean };

/** Only who can read the store can make a link. */
async function openRemote(base_url: string, show: ShowOptions): Promise<number> {
  const url = `${base_url.replace(/(?<!\/)\/+$/, '')}/dashboard`;
  const isOpen = !show.prints && (await open(url));
  if (show.asJson) printJson({ url, opened: isOpen });
  else if (!isOpen) print(url);
  printToStderr('The dashboard of a remote instance asks for an API key.');
  return 0;
}

async function openLocal(context: UiContext, { prints, asJson }: ShowOptions): Promise<void> {
  const secret = await context.app.secret();
  const { server, own } = await findOrStart(context, secret);
  try {
    const rights = rightsOf(context.loaded.values);
    const linkFor = (uid: number | null) =>
      `${server.url}/dashboard#login/${createLink(server.offer, secret, { ...rights, uid })}`;
    // Other users see the arguments of the programs that open it.
    const isOpen = !prints && (await open(linkFor(process.getuid?.() ?? null)));
    const url = isOpen ? `${server.url}/dashboard` : linkFor(null);
    if (asJson) printJson({ url, opened: isOpen });
    else if (!isOpen) print(url);
    printToStderr(isOpen ? `opened ${url}` : 'The link works once, for a minute, on this machine.');
    if (own === null) return;
    printToStderr('The server runs until Ctrl-C.');
    await own.stopped;
  } finally {
    await own?.close();
  }
}

async function open(url: string): Promise<boolean> {
  const host = { platform: currentPlatform(), env: environment };
  return hasBrowser(host) && openBrowser(url, host);
}

type OwnServer = Pick<HttpListener, 'close'> & { stopped: Promise<void> };
type ReadyServer = Extract<FoundServer, { kind: 'server' }>;

/** The server of this store at the configured port; otherwise one of this process. */
async function findOrStart(
  context: UiContext,
  secret: string,
): Promise<{ server: ReadyServer; own: OwnServer | null }> {
  const { values, sources } = context.loaded;
  const at = { host: loopbackOf(values.host), port: values.port };
  const server = at.port === 0 ? null : await findServer(at, secret);
  if (server?.kind === 'server') return { server, own: null };
  const isTaken = server?.kind === 'other';
  if (isTaken && sources.port !== 'default') {
    throw new ApiError('unavailable', `port ${at.port}: another program or store listens there`, {
      next: 'Choose another port; mneme ui --port 0 takes a free one.',
    });
  }
  return startOwn(context, secret, { ...at, port: isTaken ? 0 : at.port });
}

async function startOwn(
  { app, loaded, log }: UiContext,
  secret: string,
  { host, port }: { host: string; port: number },
): Promise<{ server: ReadyServer; own: OwnServer }> {
  const { startServing, waitForSignal } = await import('./serve.ts'); // where none runs
  const stopped = waitForSignal();
  const here = { ...loaded, values: { ...loaded.values, host, port } };
  const listening = await startServing({ app, loaded: here, log, stopped, makes_key: false });
  const server = await findServer({ host, port: Number(new URL(listening.url).port) }, secret);
  if (server.kind === 'server') return { server, own: { stopped, close: listening.close } };
  await listening.close();
  throw new ApiError('unavailable', `${listening.url} cannot be reached from this machine`);
}

/** Never an address that others reach: a server for them is `mneme serve`. */
function loopbackOf(host: string): string {
  return /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host) ? host : '127.0.0.1';
}

/** The rights of this user's command line, less those that the configuration takes away. */
function rightsOf({
  read_only,
  lock_scope,
  org_id,
  project_id,
}: Config): StrictOmit<LinkRights, 'uid'> {
  const kind = project_id === null ? 'organization' : 'project';
  const isBound = lock_scope && (project_id ?? org_id) !== null;
  return { read_only, org_id, project_id, bound_to: isBound ? kind : null };
}
