export const platforms = ['darwin', 'win32', 'linux'] as const;

export type Platform = (typeof platforms)[number];

/** Folders that a variable can move, with their defaults. */
export const defaultFolders: Readonly<Record<string, string>> = {
  APPDATA: '~/AppData/Roaming',
  LOCALAPPDATA: '~/AppData/Local',
  XDG_CONFIG_HOME: '~/.config',
  CLAUDE_CONFIG_DIR: '~',
  CLINE_DIR: '~/.cline',
  CLINE_DATA_DIR: '<CLINE_DIR>/data',
  CLINE_MCP_SETTINGS_PATH: '<CLINE_DATA_DIR>/settings/cline_mcp_settings.json',
  CODEX_HOME: '~/.codex',
  CONTINUE_GLOBAL_DIR: '~/.continue',
  COPILOT_HOME: '~/.copilot',
  GEMINI_CLI_HOME: '~',
};

/** A path from the table of clients, as people write it on that platform. */
export function displayPath(path: string, platform: Platform): string {
  const [, variable, rest = ''] = /^<(\w+)>(.*)$/.exec(path) ?? [];
  if (variable !== undefined && !variable.endsWith('APPDATA')) {
    return displayPath(`${defaultFolders[variable] ?? '~'}${rest}`, platform);
  }
  const displayed = variable === undefined ? path : `%${variable}%${rest}`;
  if (platform !== 'win32') return displayed;
  return displayed.replace(/^~/, '%USERPROFILE%').replaceAll('/', '\\');
}
