import { join } from 'node:path';

export const platforms = ['darwin', 'win32', 'linux'] as const;

export type Platform = (typeof platforms)[number];

/** The machine, as far as where programs keep their configuration depends on it. */
export type HostEnvironment = {
  platform: Platform;
  home: string;
  /** The project folder. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
};

/** Folders that a variable may move, and where they are without it. */
const defaultFolders: Readonly<Record<string, string>> = {
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

/**
 * A path of the table of clients on a machine. It starts with `~`, with `<VARIABLE>`, or, in a
 * project, with neither.
 */
export function resolvePath(path: string, place: HostEnvironment): string {
  const [, variable, rest = ''] = /^<(\w+)>(.*)$/.exec(path) ?? [];
  if (variable !== undefined) {
    const moved = place.env[variable];
    return join(moved || resolvePath(defaultFolders[variable] ?? '~', place), rest);
  }
  return path.startsWith('~') ? join(place.home, path.slice(1)) : join(place.cwd, path);
}

/** The same path as documents show it. */
export function displayPath(path: string, platform: Platform): string {
  const [, variable, rest = ''] = /^<(\w+)>(.*)$/.exec(path) ?? [];
  if (variable !== undefined && !variable.endsWith('APPDATA')) {
    return displayPath(`${defaultFolders[variable] ?? '~'}${rest}`, platform);
  }
  const shown = variable === undefined ? path : `%${variable}%${rest}`;
  if (platform !== 'win32') return shown;
  return shown.replace(/^~/, '%USERPROFILE%').replaceAll('/', '\\');
}
