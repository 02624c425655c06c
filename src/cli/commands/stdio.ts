import { type App, createApp } from '../../app.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { ApiError } from '../../contract/errors.ts';
import { type Log, tell } from '../../log.ts';
import type { McpOptions } from '../../mcp/options.ts';
import { serveOverStdio } from '../../mcp/stdio.ts';
import { version } from '../../version.ts';
import type { RunCommand } from '../commands.ts';
import { configOf, logOf, scopeOf } from '../configured.ts';
import { startCommand, typedCommand } from '../start-command.ts';

/** Lets a client's handshake be answered before the store takes the processor. */
const openDelayMs = 150;

/** Serves until the input ends or a signal comes, then closes what is open. */
export const run: RunCommand = async ({ flags, positionals }) => {
  if (positionals.length > 0) throw new ApiError('invalid', `unexpected ${positionals.join(' ')}`);
  const loaded = await configOf({ flags });
  const log = logOf(loaded);
  const app = createApp(loaded.values, { log });
  const server = serveOverStdio(mcpOptions(app, loaded, log));
  if (process.stdin.isTTY) tell(greeting(loaded));
  let opening: NodeJS.Timeout | undefined;
  process.stdin.once('data', () => {
    opening = setTimeout(() => openEarly(app, log), openDelayMs).unref();
  });
  await Promise.race([server.closed, signalled(), outputLost()]);
  clearTimeout(opening);
  endWithin(closingMaxMs);
  await server.close();
  await app.close();
  return 0;
};

/** Longer than closing takes by itself: the store lets calls in progress end for three seconds. */
const closingMaxMs = 5000;

/** A client that reads no more keeps the answers to it, and with them the process, for ever. */
function endWithin(ms: number): void {
  setTimeout(() => process.exit(0), ms).unref();
}

function mcpOptions(app: App, { values }: LoadedConfig, log: Log): McpOptions {
  return {
    ...values,
    invoke: app.invoke,
    caller: app.caller,
    secret: app.secret,
    scope: scopeOf(values),
    version,
    now: Date.now,
    log,
  };
}

/** What does not open is no end: each call says why, and tries again. */
function openEarly(app: App, log: Log): void {
  app.prepare().catch((error: unknown) => {
    log('error', error instanceof Error ? error.message : 'it could not be opened');
  });
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
}

/** A client that died without ending the input shows when it is written to. */
function outputLost(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve());
  });
}

/** What to do next, for somebody who tries what clients do. */
function greeting({ values, files }: LoadedConfig): string {
  const client = { mcpServers: { mneme: startCommand() } };
  return [
    `mneme ${version} is an MCP server: clients start it and talk to it. Connect yours first:`,
    '',
    `  ${typedCommand()} init`,
    '',
    `For other clients: ${JSON.stringify(client)}`,
    `Memories are kept ${placeOf(values)}`,
    ...files.map((file) => `Configured by ${file}`),
    `Waiting for a client on standard input; Ctrl+C ends it. All commands: ${typedCommand()} help`,
  ].join('\n');
}

/** The address of a database may hold a password. */
function placeOf({ base_url, database_url, data_dir }: LoadedConfig['values']): string {
  if (base_url !== null) return `at ${base_url}`;
  return database_url === null ? `in ${data_dir}` : 'in the database of database_url';
}
