import type { LoadedConfig } from '../../config/load-config.ts';
import { version } from '../../version.ts';
import { startCommand, typedCommand } from './start-command.ts';

/** Shown to a person who starts the server in a terminal. */
export function terminalGreeting({ values, files }: LoadedConfig): string {
  const client = { mcpServers: { mneme: startCommand() } };
  return [
    `mneme ${version} is an MCP server: clients start it and talk to it. Connect yours first:`,
    '',
    `  ${typedCommand()} init`,
    '',
    `For other clients: ${JSON.stringify(client)}`,
    `Memories are kept ${describeStore(values)}`,
    ...files.map((file) => `Configured by ${file}`),
    `Waiting for a client on standard input; Ctrl+C ends it. All commands: ${typedCommand()} help`,
  ].join('\n');
}

/** The database URL may hold a password, so it is not shown. */
function describeStore({ base_url, database_url, data_dir }: LoadedConfig['values']): string {
  if (base_url !== null) return `at ${base_url}`;
  return database_url === null ? `in ${data_dir}` : 'in the database of database_url';
}
