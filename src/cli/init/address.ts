import type { LoadedConfig } from '../../config/load-config.ts';
import { flagName, type OptionName, optionNames, variableName } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { wishNames } from '../../mcp/http/wishes.ts';
import type { Arguments } from '../flags.ts';
import type { Place } from './place.ts';

/** Where clients reach MCP over HTTP; without a key they read it from its variable. */
export type Address = { url: string; key: string | null };

type Given = {
  flags: Arguments['flags'];
  loaded: LoadedConfig;
  env: Place['env'];
  /** Write the key, where every program of the user can read it. */
  secrets: boolean;
};

/** The address that clients get, with the scope and the tools that are in effect here. */
export function addressOf(text: string, given: Given): Address {
  const { flags, loaded, secrets } = given;
  const url = urlIn(text);
  checkFlags(flags);
  for (const name of optionNames.filter((option) => isWished(option, given))) {
    const value = loaded.values[name];
    const isThere = value === null || url.searchParams.has(name);
    if (!isThere) url.searchParams.set(name, String(value));
  }
  const { api_key } = loaded.values;
  if (!secrets) return { url: url.href, key: null };
  if (api_key !== null) return { url: url.href, key: api_key };
  throw new ApiError(
    'invalid',
    'there is no key to write: set api_key, or leave --with-secrets out',
  );
}

/** The server has no default for the user; over stdio it is that of this machine. */
function isWished(name: OptionName, { flags, env }: Given): boolean {
  if (!wishNames.includes(name)) return false;
  return name === 'user_id' || flags[name] !== undefined || Boolean(env[variableName(name)]);
}

function urlIn(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.hash !== '') {
    const example = 'https://memory.example.com/mcp';
    throw new ApiError(
      'invalid',
      `flag --url: must be an address such as ${example}, without a key`,
    );
  }
  if (url.pathname === '/') url.pathname = '/mcp';
  return url;
}

function checkFlags(flags: Arguments['flags']): void {
  const known: readonly string[] = [...wishNames, 'api_key'];
  const stray = optionNames.find((name) => flags[name] !== undefined && !known.includes(name));
  if (stray === undefined) return;
  const what = `an address can't say that; beside --url it is ${wishNames.map(shown).join(', ')}`;
  throw new ApiError('invalid', `flag ${flagName(stray)}: ${what}`);
}

function shown(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}
