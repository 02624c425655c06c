import { type ClientDefinition, type ClientName, clients } from './clients.ts';
import { applyEdits, type ServerEntry } from './formats/format.ts';
import { loadFormat } from './formats/load-format.ts';
import { httpEntryFor, type ServerAddress } from './http-entry.ts';
import {
  type EntryShapeName,
  entryName,
  programEntryFor,
  type ServerLaunch,
} from './program-entry.ts';

/** How a client reaches mneme: it starts the program, or connects to an address. */
export type ServerConnection = ServerLaunch | ServerAddress;

type EntryOptions = { name: ClientName; shape: EntryShapeName; connection: ServerConnection };

/** The entry for a client. Other fields of an existing entry stay. */
export function entryFor(
  { name, shape, connection }: EntryOptions,
  existing?: ServerEntry,
): ServerEntry {
  return 'command' in connection
    ? programEntryFor(shape, connection, existing)
    : httpEntryFor({ name, shape }, connection, existing);
}

/** The user's file of a client when it holds nothing but the entry. */
export async function entryText(name: ClientName, connection: ServerConnection): Promise<string> {
  const { user }: ClientDefinition = clients[name];
  const { keys, list = false, shape, format } = user;
  const { put } = await loadFormat(format);
  const entry = entryFor({ name, shape, connection });
  return applyEdits('', put('', { keys, list, name: entryName }, entry));
}
