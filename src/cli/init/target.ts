import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  type ClientConfigFile,
  type ClientDefinition,
  type ClientName,
  clients,
  forPlatform,
} from '../../client-entries/clients.ts';
import { entryFor, type ServerConnection } from '../../client-entries/entry-text.ts';
import type { ConfigFormatName, ServerEntry, Slot } from '../../client-entries/formats/format.ts';
import { entryName } from '../../client-entries/program-entry.ts';
import { type HostEnvironment, resolvePath } from './environment.ts';

/** One entry in one file. */
export type InitTarget = {
  /** The name on the command line. */
  client: string;
  title: string;
  file: string;
  format: ConfigFormatName;
  slot: Slot;
  /** The new entry; `existing` is the current one. */
  entry(existing?: ServerEntry): ServerEntry;
  start?: string;
  cannotCreate?: string;
  byHand?: string;
};

export type InitScope = 'user' | 'project';

type TargetOptions = { scope: InitScope; connection: ServerConnection };

/** The file of a client on this machine; null when it has none for that scope. */
export function createTarget(
  name: ClientName,
  host: HostEnvironment,
  options: TargetOptions,
): InitTarget | null {
  const client: ClientDefinition = clients[name];
  const config = client[options.scope];
  if (config === undefined) return null;
  const { keys, list = false, shape, format, cannotCreate } = config;
  const { connection } = options;
  return {
    client: name,
    title: client.title,
    file: configPath(config, host),
    format,
    slot: { keys, list, name: entryName },
    entry: (existing) => entryFor({ name, shape, connection }, existing),
    ...(config.start !== undefined && { start: config.start }),
    ...(cannotCreate !== undefined && { cannotCreate }),
    ...(client.byHand !== undefined && { byHand: client.byHand }),
  };
}

/** Whether there is evidence that the client is, or was, installed. */
export function isClientInstalled(name: ClientName, host: HostEnvironment): boolean {
  const { folders, commands = [], user }: ClientDefinition = clients[name];
  const signs = [...forPlatform(folders, host.platform), ...configPaths(user, host)];
  return (
    signs.some((path) => holdsSomething(resolvePath(path, host))) ||
    commands.some((command) => isOnPath(command, host))
  );
}

/** Clients that are gone leave their folders, and so do others that look for them. */
function holdsSomething(path: string): boolean {
  try {
    if (!statSync(path).isDirectory()) return true;
    return readdirSync(path, { withFileTypes: true }).some(
      (entry) => !entry.isDirectory() || holdsSomething(join(path, entry.name)),
    );
  } catch {
    return false; // not there, or closed to us: nothing could be written either
  }
}

function configPath(config: ClientConfigFile, host: HostEnvironment): string {
  const files = configPaths(config, host).map((path) => resolvePath(path, host));
  const { firstRequires } = config;
  const hasFirst = firstRequires === undefined || existsSync(resolvePath(firstRequires, host));
  const target = files.find((file) => existsSync(file)) ?? (hasFirst ? files[0] : files.at(-1));
  if (target === undefined) throw new Error('a client without a file');
  return target;
}

function configPaths(
  { paths }: ClientConfigFile,
  { platform }: HostEnvironment,
): readonly string[] {
  return forPlatform(paths, platform);
}

function isOnPath(command: string, { env, platform }: HostEnvironment): boolean {
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) =>
    endings.some((ending) => existsSync(join(folder, command + ending))),
  );
}
