import type { ServerLaunch, StartCommand } from '../../client-entries/program-entry.ts';
import { configVariable } from '../../config/environment-variables.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Option } from '../../config/option.ts';
import {
  flagName,
  type OptionName,
  optionNames,
  options,
  userConfigFile,
  variableName,
} from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import type { HostEnvironment } from './environment.ts';

type LaunchOptions = {
  /** The command line; options on it become flags of the server. */
  flags: CommandArguments['flags'];
  loaded: LoadedConfig;
  /** Variables of mneme become those of the server: desktop programs do not see the shell. */
  env: HostEnvironment['env'];
  /** Write secrets into the file, where every program of the user can read them. */
  secrets: boolean;
};

/** How clients start the server with the options that are in effect here. */
export function createServerLaunch(
  { command, args }: StartCommand,
  launch: LaunchOptions,
): ServerLaunch {
  const flags = optionNames.filter((name) => launch.flags[name] !== undefined);
  for (const name of flags) checkSecretFlag(name, launch);
  const file = launch.flags['config'] === undefined ? [] : ['--config', ...launch.loaded.files];
  const launchArguments = flags.flatMap((name) => flagArguments(name, launch));
  return { command, args: [...args, ...file, ...launchArguments], env: launchVariables(launch) };
}

function checkSecretFlag(name: OptionName, { secrets }: LaunchOptions): void {
  if (secrets || !isSecret(name)) return;
  const flag = flagName(name);
  throw new ApiError(
    'invalid',
    `flag ${flag}: secrets do not belong in the files of clients; ` +
      `put it in ${userConfigFile()}, or add --with-secrets`,
  );
}

function flagArguments(name: OptionName, { flags, loaded }: LaunchOptions): string[] {
  const flag = flagName(name);
  const value = flags[name];
  if (value === true) return [flag];
  const text = resolveText(name, String(value), loaded);
  return /^(-|true$|false$)/.test(text) ? [`${flag}=${text}`] : [flag, text];
}

function launchVariables({ flags, loaded, env, secrets }: LaunchOptions): Record<string, string> {
  const names = optionNames.filter((name) => env[variableName(name)] && flags[name] === undefined);
  const printable = names.filter((name) => secrets || !isSecret(name));
  const entries = printable.map((name): [string, string] => {
    const variable = variableName(name);
    return [variable, resolveText(name, env[variable] ?? '', loaded)];
  });
  const [file] = loaded.files;
  const isNamed = env[configVariable] && flags['config'] === undefined && file !== undefined;
  return Object.fromEntries(isNamed ? [[configVariable, file], ...entries] : entries);
}

/** A client starts the server in another folder, so paths must be absolute. */
function resolveText(name: OptionName, text: string, { values }: LoadedConfig): string {
  return isPath(name) ? String(values[name]) : text;
}

function isPath(name: OptionName): boolean {
  const { path, nameOrPath }: Option = options[name];
  return path === true || nameOrPath === true;
}

function isSecret(name: OptionName): boolean {
  return (options[name] as Option).secret === true;
}
