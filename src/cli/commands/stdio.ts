import { type App, createApp } from '../../app/create-app.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { configuredScope } from '../../contract/scope/memory-scope.ts';
import { type Log, printToStderr } from '../../log.ts';
import { serveOverStdio } from '../../mcp/stdio.ts';
import type { McpOptions } from '../../mcp/tools/options.ts';
import { version } from '../../version.ts';
import type { RunCommand } from '../command-line/command.ts';
import { flagText } from '../command-line/flags.ts';
import { createCommandLog, loadCommandConfig } from '../context/command-config.ts';

/** Answers the handshake of a client before opening the store uses the processor. */
const openDelayMs = 150;

/** Serves until the input ends or a signal arrives, then closes everything. */
export const run: RunCommand = async ({ flags, positionals }) => {
  if (positionals.length > 0) {
    const { strayWordsError } = await import('../command-line/stray-words.ts');
    throw strayWordsError(positionals);
  }
  for (const flag of listeningFlags.filter((name) => name in flags)) {
    const where = 'mneme without a command talks over standard input and output';
    printToStderr(`flag ${flagText(flag)} has no effect: ${where}; mneme serve listens on a port.`);
  }
  const loaded = await loadCommandConfig({ flags });
  const log = createCommandLog(loaded);
  const app = createApp(loaded.values, { log });
  const server = serveOverStdio(mcpOptions(app, loaded, log));
  if (process.stdin.isTTY) {
    const { terminalGreeting } = await import('../init/terminal-greeting.ts');
    printToStderr(terminalGreeting(loaded));
  }
  let opening: NodeJS.Timeout | undefined;
  process.stdin.once('data', () => {
    opening = setTimeout(() => openStoreEarly(app, log), openDelayMs).unref();
  });
  await Promise.race([server.closed, waitForSignal(), waitForOutputError()]);
  clearTimeout(opening);
  exitWithin(closeTimeoutMs);
  await server.close();
  await app.close();
  return 0;
};

/** Options of the servers that listen. */
const listeningFlags = ['host', 'port'];

/** Longer than closing normally takes: the store gives calls in progress three seconds. */
const closeTimeoutMs = 5000;

/** Unread output of a client that stopped reading would keep the process alive. */
function exitWithin(ms: number): void {
  setTimeout(() => process.exit(0), ms).unref();
}

/** By name: copying all values would derive what a start does not need. */
export function mcpOptions(app: App, { values }: LoadedConfig, log: Log): McpOptions {
  return {
    toolsets: values.toolsets,
    tools: values.tools,
    exclude_tools: values.exclude_tools,
    read_only: values.read_only,
    strict_schemas: values.strict_schemas,
    add_wait_ms: values.add_wait_ms,
    tool_timeout_ms: values.tool_timeout_ms,
    result_max_tokens: values.result_max_tokens,
    confirm_destructive: values.confirm_destructive,
    admin_approval: values.admin_approval,
    lock_scope: values.lock_scope,
    invoke: app.invoke,
    caller: app.caller,
    secret: app.secret,
    scope: configuredScope(values),
    timezone: values.timezone,
    version,
    now: Date.now,
    log,
  };
}

/** A failure is not fatal: each call reports it, and tries again. */
function openStoreEarly(app: App, log: Log): void {
  app.prepare().catch((error: unknown) => {
    log('error', error instanceof Error ? error.message : 'store could not be opened');
  });
}

function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
}

/** A client that died without closing the input is detected by a failed write. */
function waitForOutputError(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve());
  });
}
