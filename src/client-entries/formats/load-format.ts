import type { ConfigFormat, ConfigFormatName } from './format.ts';

/** Formats are loaded on demand. */
export async function loadFormat(name: ConfigFormatName): Promise<ConfigFormat> {
  if (name === 'json') return (await import('./json.ts')).json;
  if (name === 'toml') return (await import('./toml.ts')).toml;
  if (name === 'yaml') return (await import('./yaml.ts')).yaml;
  return (await import('./markdown.ts')).markdown;
}
