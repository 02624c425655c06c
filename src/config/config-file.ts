import { dirname } from 'node:path';
import * as z from 'zod';
import { closestName } from '../contract/did-you-mean.ts';
import { ApiError, errorCodeOf } from '../contract/errors.ts';
import { isObject } from '../contract/is-object.ts';
import { configFileMaxBytes, readRegularFile } from '../regular-file.ts';
import type { ConfigEntry, ConfigSource } from './config-source.ts';
import { documentedDefault, type Option } from './option.ts';
import { isOptionName, optionNames, options } from './options.ts';
import { projectFileProblem } from './project-file.ts';

type ConfigFileOptions = {
  /** The file is in the working folder, so a cloned repository must not redirect where data go. */
  inProject?: true;
  /** The flag or variable that named the file. Without it, a missing file is not a problem. */
  required?: string;
};

/** Reads a configuration file; null when an optional one is missing. */
export async function readConfigFile(
  path: string,
  place: ConfigFileOptions = {},
): Promise<ConfigSource | null> {
  const failed = (problem: string): ConfigSource => ({ entries: [], problems: [problem] });
  let text: string;
  try {
    const bytes = readRegularFile(path, { bytesMax: configFileMaxBytes });
    text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const missing = isMissingFile(error);
    if (missing && place.required === undefined) return null;
    const problem = missing ? `${path} does not exist` : readProblem(path, error);
    return failed(place.required === undefined ? problem : `${place.required}: ${problem}`);
  }
  try {
    const json: unknown = JSON.parse(text);
    if (!isObject(json)) return failed(`${path}: must hold a JSON object`);
    return readConfigKeys(json, { ...place, path });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return failed(`${path}: ${await describeSyntaxError(text)}`);
  }
}

function readProblem(path: string, error: unknown): string {
  return error instanceof ApiError ? error.message : `${path} cannot be read`;
}

/** JSON Schema of a configuration file, for editors. */
export async function configFileSchema(): Promise<Record<string, unknown>> {
  const [{ toolNames }, { orderedOptions }] = await Promise.all([
    import('./tool-names.ts'),
    import('./option-sections.ts'),
  ]);
  const tools = z.array(z.enum(toolNames)).min(1);
  const properties = orderedOptions.map((name) => {
    const option: Option = options[name];
    const description = `${option.description} Default: ${documentedDefault(option)}.`;
    return [name, (option.tools ? tools : option.schema).meta({ description }).optional()];
  });
  const file = z.strictObject({
    $schema: z.string().optional().describe('Address of this schema.'),
    ...Object.fromEntries(properties),
  });
  return { ...z.toJSONSchema(file, { io: 'input' }), title: 'Configuration of mneme' };
}

function readConfigKeys(
  json: Record<string, unknown>,
  place: ConfigFileOptions & { path: string },
): ConfigSource {
  const entries: ConfigEntry[] = [];
  const problems: string[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key === '$schema') continue;
    const label = `${place.path}: ${JSON.stringify(key)}`;
    if (!isOptionName(key)) problems.push(`${label} ${unknownKeyProblem(key)}`);
    else {
      const problem = place.inProject ? projectFileProblem(key, value) : null;
      if (problem !== null) problems.push(`${label} ${problem}`);
      else entries.push({ name: key, value, label, folder: dirname(place.path) });
    }
  }
  return { entries, problems, ...(place.inProject && { inProject: true }) };
}

function unknownKeyProblem(key: string): string {
  const suggestion = closestName(key, ['$schema', ...optionNames]);
  if (suggestion !== null) return `is not an option; did you mean ${JSON.stringify(suggestion)}?`;
  return `is not an option (allowed: ${optionNames.join(', ')})`;
}

function isMissingFile(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error));
}

/** Older versions of Node name no line in a JSON.parse error, so a second parser finds it. */
async function describeSyntaxError(text: string): Promise<string> {
  const { parse } = await import('@humanwhocodes/momoa');
  try {
    parse(text);
    return 'is not valid JSON';
  } catch (error) {
    const line = error instanceof Error && 'line' in error ? `line ${error.line}: ` : '';
    const reason = error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, '') : '';
    return `is not valid JSON: ${line}${reason}`;
  }
}
