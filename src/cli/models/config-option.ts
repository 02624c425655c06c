import { applyEdits, ConfigSyntaxError } from '../../client-entries/formats/format.ts';
import { json, putJson } from '../../client-entries/formats/json.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { OptionName } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { checkWritable, readClientConfig } from '../init/read-config.ts';
import { writeConfig } from '../init/write-config.ts';

/** Throws `conflict` if an option is set where the user's own file does not decide. */
export function checkOptionFree({ sources, own_file }: LoadedConfig, name: OptionName): void {
  const source = sources[name];
  if (source === 'default' || source.startsWith(`${own_file}: `)) return;
  throw new ApiError('conflict', `${name} is set by ${source}, which overrides ${own_file}`, {
    next: 'Remove it there, then run this again.',
  });
}

/** Values by option; null removes an option. */
export type OptionChanges = Partial<Record<OptionName, string | number | null>>;

/**
 * Changes options in the user's own file. Returns false if there was nothing to change. Everything
 * else in the file stays as it is.
 */
export async function writeConfigOptions(file: string, changes: OptionChanges): Promise<boolean> {
  try {
    const config = await readClientConfig(file);
    const text = Object.entries(changes).reduce(withOption, config.text);
    if (text === config.text) return false;
    checkWritable(config);
    await writeConfig(config, text, { now: new Date() });
    return true;
  } catch (error) {
    if (error instanceof ConfigSyntaxError) {
      throw new ApiError('conflict', `${file}: ${error.message}`, { cause: error });
    }
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, `${file}: ${error.message}`, { cause: error });
  }
}

function withOption(text: string, [name, value]: [string, unknown]): string {
  const slot = { keys: [], name, list: false };
  return applyEdits(text, value === null ? json.remove(text, slot) : putJson(text, [name], value));
}
