import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Address } from './address.ts';
import { type Client, type ClientName, type ConfigFile, clients, forPlatform } from './clients.ts';
import type { FormatName, Slot } from './formats/format.ts';
import { addressEntryFor } from './http-shape.ts';
import { type Place, resolvePath } from './place.ts';
import { type Entry, entryFor, entryName, type Start } from './shape.ts';

/** One entry in one file. */
export type Target = {
  /** The name on the command line. */
  client: string;
  title: string;
  file: string;
  format: FormatName;
  slot: Slot;
  /** What the entry has to be; `existing` is the one that is there. */
  entry(existing?: Entry): Entry;
  start?: string;
  never?: string;
  byHand?: string;
};

export type Scope = 'user' | 'project';

type Wanted = { scope: Scope; start: Start | Address };

/** The file of a client on this machine; null when it has none for that scope. */
export function targetOf(name: ClientName, place: Place, wanted: Wanted): Target | null {
  const client: Client = clients[name];
  const config = client[wanted.scope];
  if (config === undefined) return null;
  const { keys, list = false, shape, format, never } = config;
  const { start } = wanted;
  return {
    client: name,
    title: client.title,
    file: fileOf(config, place),
    format,
    slot: { keys, list, name: entryName },
    entry: (existing) =>
      'command' in start
        ? entryFor(shape, start, existing)
        : addressEntryFor({ name, shape }, start, existing),
    ...(config.start !== undefined && { start: config.start }),
    ...(never !== undefined && { never }),
    ...(client.byHand !== undefined && { byHand: client.byHand }),
  };
}

/** Whether something on the machine shows that the client is, or was, in use. */
export function isFound(name: ClientName, place: Place): boolean {
  const { folders, commands = [], user }: Client = clients[name];
  const signs = [...forPlatform(folders, place.platform), ...pathsOf(user, place)];
  return (
    signs.some((path) => existsSync(resolvePath(path, place))) ||
    commands.some((command) => isOnPath(command, place))
  );
}

function fileOf(config: ConfigFile, place: Place): string {
  const files = pathsOf(config, place).map((path) => resolvePath(path, place));
  const { firstNeeds } = config;
  const hasFirst = firstNeeds === undefined || existsSync(resolvePath(firstNeeds, place));
  const chosen = files.find((file) => existsSync(file)) ?? (hasFirst ? files[0] : files.at(-1));
  if (chosen === undefined) throw new Error('a client without a file');
  return chosen;
}

function pathsOf({ paths }: ConfigFile, { platform }: Place): readonly string[] {
  return forPlatform(paths, platform);
}

function isOnPath(command: string, { env, platform }: Place): boolean {
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) =>
    endings.some((ending) => existsSync(join(folder, command + ending))),
  );
}
