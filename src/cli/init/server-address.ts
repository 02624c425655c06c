import type { ServerAddress } from '../../client-entries/http-entry.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { flagName, type OptionName, optionNames, variableName } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { overrideNames } from '../../mcp/http/request-overrides.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import type { HostEnvironment } from './environment.ts';

type AddressOptions = {
  flags: CommandArguments['flags'];
  loaded: LoadedConfig;
  env: HostEnvironment['env'];
  /** Write the key into the file, where every program of the user can read it. */
  secrets: boolean;
};

/** The address for clients, with the scope and the tools that are in effect here. */
export function resolveAddress(text: string, options: AddressOptions): ServerAddress {
  const { flags, loaded, secrets } = options;
  const url = parseAddress(text);
  checkAddressFlags(flags);
  for (const name of optionNames.filter((option) => isRequested(option, options))) {
    const value = loaded.values[name];
    const isThere = value === null || url.searchParams.has(name);
    if (!isThere) url.searchParams.set(name, String(value));
  }
  const { api_key } = loaded.values;
  if (!secrets) return { url: url.href, key: null };
  if (api_key !== null) return { url: url.href, key: api_key };
  throw new ApiError('invalid', 'no key is set: set api_key, or omit --with-secrets');
}

/** The server has no default user, so the address names the user of this machine, as over stdio. */
function isRequested(name: OptionName, { flags, env }: AddressOptions): boolean {
  if (!overrideNames.includes(name)) return false;
  return name === 'user_id' || flags[name] !== undefined || Boolean(env[variableName(name)]);
}

function parseAddress(text: string): URL {
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

function checkAddressFlags(flags: CommandArguments['flags']): void {
  const parameterNames: readonly string[] = [...overrideNames, 'api_key'];
  const stray = optionNames.find(
    (name) => flags[name] !== undefined && !parameterNames.includes(name),
  );
  if (stray === undefined) return;
  const what = `an address cannot hold it; with --url use ${overrideNames.map(flagText).join(', ')}`;
  throw new ApiError('invalid', `flag ${flagName(stray)}: ${what}`);
}

function flagText(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}
