import { isFullId, shortIdOf } from '../../contract/short-id.ts';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** Names of keys by their ids. */
export type KeyNames = ReadonlyMap<string, string>;

const noNames: KeyNames = new Map();

/** The names of keys, read once for a view. Only some may list keys; others see ids. */
export function useKeyNames(): KeyNames {
  return useLoaded(readKeyNames, '').value ?? noNames;
}

async function readKeyNames(): Promise<KeyNames> {
  const keys = await client.listKeys().catch(() => ({ results: [] }));
  return new Map(keys.results.map(({ key_id, name }) => [key_id, name]));
}

/** Names the caller: the name of its key, or how it signed in without one, such as `mneme ui`. */
export function callerName(key_id: string, names: KeyNames): string {
  if (!isFullId(key_id)) return key_id;
  return `key ${names.get(key_id) ?? shortIdOf(key_id)}`;
}
