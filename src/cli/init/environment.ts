import { join } from 'node:path';

export const platforms = ['darwin', 'win32', 'linux'] as const;

export type Platform = (typeof platforms)[number];

/** Other systems of the Unix family are like Linux. */
export function currentPlatform(): Platform {
  return platforms.find((name) => name === process.platform) ?? 'linux';
}

/** The facts about the machine that decide where clients keep their configuration. */
export type HostEnvironment = {
  platform: Platform;
  home: string;
  /** The project folder. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
};

/** Folders that a variable can move, with their defaults. */
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
 * Resolves a path from the table of clients. It starts with `~`, with `<VARIABLE>`, or, in a
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

/** The same path, as the documentation shows it. */
export function displayPath(path: string, platform: Platform): string {
  const [, variable, rest = ''] = /^<(\w+)>(.*)$/.exec(path) ?? [];
  if (variable !== undefined && !variable.endsWith('APPDATA')) {
    return displayPath(`${defaultFolders[variable] ?? '~'}${rest}`, platform);
  }
  const shown = variable === undefined ? path : `%${variable}%${rest}`;
  if (platform !== 'win32') return shown;
  return shown.replace(/^~/, '%USERPROFILE%').replaceAll('/', '\\');
}
