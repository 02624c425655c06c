import { join, resolve } from 'node:path';
import { didYouMean } from '../contract/did-you-mean.ts';
import { ApiError } from '../contract/errors.ts';
import { readConfigFile } from './config-file.ts';
import type { ConfigEntry, ConfigSource } from './config-source.ts';
import { readConfigVariable, readEnvironment } from './environment-variables.ts';
import { type Option, setDefault } from './option.ts';
import { optionConflicts } from './option-conflicts.ts';
import { optionProblem, parseOptionText, unknownNameProblem } from './option-values.ts';
import {
  type Config,
  configFileName,
  flagName,
  type OptionName,
  optionNames,
  options,
  userConfigFile,
} from './options.ts';
import { effectiveEntries, lockedScopeProblems } from './project-file.ts';
import { currentHome } from './user-folders.ts';

/** Flags as typed; `config` names a file to read instead of the usual two. */
export type ConfigFlags = Partial<Record<OptionName, string | boolean>> & { config?: string };

export type LoadedConfig = {
  values: Config;
  /** Where each value comes from: `default`, or the label that errors use. */
  sources: Record<OptionName, string>;
  /** Configuration files that were read. */
  files: string[];
  /** How long a write waits for another process, where that is not as long as usual. */
  busy_timeout_ms?: number;
  /** The user's own file, which may not exist yet: the named one, or that of the user. */
  own_file: string;
};

/**
 * The effective configuration: flag over environment over file over default. Throws `invalid` with
 * one line for each problem; each names its source, what is wrong and what is allowed.
 */
export async function loadConfig(
  flags: ConfigFlags,
  { env, cwd = process.cwd() }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<LoadedConfig> {
  const configFiles = await readConfigFiles(flags.config ?? readConfigVariable(env), cwd);
  const sources = [...configFiles.sources, readEnvironment(cwd, env), readFlags(flags, cwd)];
  const problems = sources.flatMap((source) => source.problems);
  problems.push(...lockedScopeProblems(sources));

  const loaded = defaultConfig();
  for (const { name, value, label, folder } of effectiveEntries(sources)) {
    const problem =
      optionProblem(options[name], value) ?? (await unknownToolProblem(options[name], value));
    if (problem !== null) problems.push(`${label}: ${problem}`);
    loaded.values[name] = resolveValue(options[name], { folder, value });
    loaded.sources[name] = label;
  }
  for (const [name, problem] of optionConflicts(loaded.values))
    problems.push(`${name}: ${problem}`);
  if (problems.length > 0) throw new ApiError('invalid', problems.join('\n'));
  // Every value passed the schema of its option.
  const { files, own_file } = configFiles;
  return { values: loaded.values as Config, sources: loaded.sources, files, own_file };
}

/**
 * The configuration that a program passes: options by name, defaults for the rest. Neither files
 * nor the environment are read. Throws `invalid` with one line for each problem.
 */
export function configFromOptions(
  given: Readonly<Record<string, unknown>>,
  allowed: readonly OptionName[],
): Config {
  const { values } = defaultConfig();
  const problems: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const canonical = allowed.find((one) => one === name);
    const problem =
      canonical === undefined
        ? unknownOptionProblem(name, allowed)
        : optionProblem(options[canonical], value);
    if (problem !== null) problems[name] = [problem];
    const folder = process.cwd();
    values[name] =
      canonical === undefined ? value : resolveValue(options[canonical], { folder, value });
  }
  for (const [name, problem] of optionConflicts(values)) problems[name] ??= [problem];
  const lines = Object.entries(problems).map(([name, texts]) => `${name}: ${texts.join('; ')}`);
  if (lines.length > 0) throw new ApiError('invalid', lines.join('\n'), { fields: problems });
  return values as Config; // Every value passed the schema of its option.
}

function unknownOptionProblem(name: string, allowed: readonly string[]): string {
  return `is not an option.${didYouMean(name, allowed)} Allowed: ${allowed.join(', ')}`;
}

/** A configuration that is safe to print: secrets are masked. */
export function maskSecrets(
  values: Readonly<Record<string, unknown>>,
  table: Readonly<Record<string, { secret?: true }>> = options,
): Record<string, unknown> {
  const redacted = Object.entries(values).map(([name, value]) =>
    table[name]?.secret && value !== null ? [name, '********'] : [name, value],
  );
  return Object.fromEntries(redacted);
}

/** A file in the working folder belongs to a project and overrides the user's own file. */
async function readConfigFiles(named: string | undefined, cwd: string) {
  if (named !== undefined) {
    const path = resolvePath(cwd, named);
    const source = await readConfigFile(path, { required: '--config' });
    return { sources: source === null ? [] : [source], files: [path], own_file: path };
  }
  const own = userConfigFile();
  const inFolder = join(cwd, configFileName);
  const candidates = [
    { path: own, source: await readConfigFile(own) },
    {
      path: inFolder,
      source: inFolder === own ? null : await readConfigFile(inFolder, { inProject: true }),
    },
  ];
  const present = candidates.flatMap(({ path, source }) => (source ? [{ path, source }] : []));
  return {
    sources: present.map(({ source }) => source),
    files: present.map(({ path }) => path),
    own_file: own,
  };
}

async function unknownToolProblem({ tools }: Option, value: unknown): Promise<string | null> {
  if (!tools) return null;
  const { toolNames } = await import('./tool-names.ts');
  return unknownNameProblem(value, toolNames);
}

function readFlags(flags: ConfigFlags, cwd: string): ConfigSource {
  const entries = optionNames.flatMap((name): ConfigEntry[] => {
    const flag = flags[name];
    if (flag === undefined) return [];
    const value = typeof flag === 'string' ? parseOptionText(options[name], flag) : flag;
    return [{ name, value, label: `flag ${flagName(name)}`, folder: cwd }];
  });
  return { entries, problems: [] };
}

function defaultConfig() {
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const name of optionNames) {
    setDefault(values, name, options[name]);
    sources[name] = 'default';
  }
  return { values, sources: sources as LoadedConfig['sources'] };
}

type OptionValueAt = { folder: string; value: unknown };

function resolveValue(
  { path, nameOrPath: isFolder }: Option,
  { folder, value }: OptionValueAt,
): unknown {
  if (path || (isFolder && isPathLike(String(value)))) return resolvePath(folder, String(value));
  return value;
}

/** Names of models never begin like this. */
function isPathLike(text: string): boolean {
  return /^(\.{0,2}[\\/]|~|[a-z]:[\\/])/i.test(text);
}

function resolvePath(folder: string, path: string): string {
  return resolve(
    folder,
    path.replace(/^~(?=$|[\\/])/, () => currentHome()),
  );
}
