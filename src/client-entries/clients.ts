import type { ConfigFormatName } from './formats/format.ts';
import type { Platform } from './paths.ts';
import type { EntryShapeName } from './program-entry.ts';

type PerPlatform<T> = Readonly<Record<Platform, T>>;

/** A file that a client reads its MCP servers from. */
export type ClientConfigFile = {
  /** Possible paths: the first that exists, else the first. `resolvePath` explains the syntax. */
  paths: readonly string[] | PerPlatform<readonly string[]>;
  /** Without this folder a new file is created at the last path. */
  firstRequires?: string;
  format: ConfigFormatName;
  /** Keys that lead to the servers; below them is the name of this one. */
  keys: readonly string[];
  shape: EntryShapeName;
  /** The servers are a list of named entries, not an object with names as keys. */
  list?: true;
  /** Initial content of a new file. */
  start?: string;
  /** Why a new file must not be created: the client would ignore its current one. */
  cannotCreate?: string;
};

export type ClientDefinition = {
  /** The name that the client uses for itself. */
  title: string;
  /** Evidence that the client is installed, apart from its file: folders and commands. */
  folders: readonly string[] | PerPlatform<readonly string[]>;
  commands?: readonly string[];
  user: ClientConfigFile;
  /** The file in a project folder, if the client reads one. */
  project?: ClientConfigFile;
  /** The way in the client itself, where it is shorter than editing the file. */
  byHand?: string;
};

const vscodeFolders = vscodeUserFolders('Code');
const insidersFolders = vscodeUserFolders('Code - Insiders');

/** The folder of a packaged Claude Desktop's data on Windows. */
const packagedClaude = '<LOCALAPPDATA>/Packages/Claude_pzs8sxrjxfjjc';

const mcpServers = { format: 'json', keys: ['mcpServers'], shape: 'plain' } as const;
const codeServers = { format: 'json', keys: ['servers'], shape: 'stdio' } as const;

/** Every client that `mneme init` knows, by its name on the command line. */
export const clients = {
  'claude-desktop': {
    title: 'Claude Desktop',
    folders: {
      darwin: ['~/Library/Application Support/Claude'],
      win32: ['<APPDATA>/Claude', packagedClaude],
      linux: ['<XDG_CONFIG_HOME>/Claude'],
    },
    user: {
      ...mcpServers,
      paths: {
        darwin: ['~/Library/Application Support/Claude/claude_desktop_config.json'],
        // The packaged program sees a private copy of the roaming folder.
        win32: [
          `${packagedClaude}/LocalCache/Roaming/Claude/claude_desktop_config.json`,
          '<APPDATA>/Claude/claude_desktop_config.json',
        ],
        linux: ['<XDG_CONFIG_HOME>/Claude/claude_desktop_config.json'],
      },
      firstRequires: packagedClaude,
    },
    byHand: 'Settings > Developer > Edit Config opens the file.',
  },
  'claude-code': {
    title: 'Claude Code',
    folders: ['~/.claude'],
    commands: ['claude'],
    user: { ...mcpServers, shape: 'stdio', paths: ['<CLAUDE_CONFIG_DIR>/.claude.json'] },
    project: { ...mcpServers, shape: 'stdio', paths: ['.mcp.json'] },
    byHand: '`claude mcp add --scope user mneme -- npx -y mneme` does the same.',
  },
  cursor: {
    title: 'Cursor',
    folders: ['~/.cursor'],
    user: { ...mcpServers, paths: ['~/.cursor/mcp.json'] },
    project: { ...mcpServers, paths: ['.cursor/mcp.json'] },
  },
  vscode: {
    title: 'VS Code',
    folders: vscodeFolders,
    user: { ...codeServers, paths: appendPath(vscodeFolders, '/mcp.json') },
    project: { ...codeServers, paths: ['.vscode/mcp.json'] },
    byHand: 'The command "MCP: Open User Configuration" opens the file.',
  },
  'vscode-insiders': {
    title: 'VS Code Insiders',
    folders: insidersFolders,
    user: { ...codeServers, paths: appendPath(insidersFolders, '/mcp.json') },
    project: { ...codeServers, paths: ['.vscode/mcp.json'] },
    byHand: 'The command "MCP: Open User Configuration" opens the file.',
  },
  windsurf: {
    title: 'Windsurf',
    folders: ['~/.codeium/windsurf'],
    user: { ...mcpServers, paths: ['~/.codeium/windsurf/mcp_config.json'] },
  },
  codex: {
    title: 'Codex',
    folders: ['<CODEX_HOME>'],
    commands: ['codex'],
    user: {
      paths: ['<CODEX_HOME>/config.toml'],
      format: 'toml',
      keys: ['mcp_servers'],
      shape: 'plain',
    },
    project: {
      paths: ['.codex/config.toml'],
      format: 'toml',
      keys: ['mcp_servers'],
      shape: 'plain',
    },
    byHand: '`codex mcp add mneme -- npx -y mneme` does the same.',
  },
  zed: {
    title: 'Zed',
    folders: {
      darwin: ['~/.config/zed'],
      win32: ['<APPDATA>/Zed'],
      linux: ['<XDG_CONFIG_HOME>/zed'],
    },
    user: {
      paths: {
        darwin: ['~/.config/zed/settings.json'],
        win32: ['<APPDATA>/Zed/settings.json'],
        linux: ['<XDG_CONFIG_HOME>/zed/settings.json'],
      },
      format: 'json',
      keys: ['context_servers'],
      shape: 'plain',
    },
    byHand: 'The command "zed: open settings file" opens the file.',
  },
  gemini: {
    title: 'Gemini CLI',
    folders: ['<GEMINI_CLI_HOME>/.gemini'],
    commands: ['gemini'],
    user: { ...mcpServers, paths: ['<GEMINI_CLI_HOME>/.gemini/settings.json'] },
    project: { ...mcpServers, paths: ['.gemini/settings.json'] },
  },
  'lm-studio': {
    title: 'LM Studio',
    folders: ['~/.lmstudio'],
    user: { ...mcpServers, paths: ['~/.lmstudio/mcp.json'] },
    byHand: 'Program > Install > Edit mcp.json opens the file.',
  },
  cline: {
    title: 'Cline',
    folders: {
      darwin: ['~/.cline', `${vscodeFolders.darwin}/globalStorage/saoudrizwan.claude-dev`],
      win32: ['~/.cline', `${vscodeFolders.win32}/globalStorage/saoudrizwan.claude-dev`],
      linux: ['~/.cline', `${vscodeFolders.linux}/globalStorage/saoudrizwan.claude-dev`],
    },
    user: { ...mcpServers, paths: clineConfigPaths() },
    byHand: 'MCP Servers > Configure > Configure MCP Servers opens the file.',
  },
  'roo-code': {
    title: 'Roo Code',
    folders: appendPath(vscodeFolders, '/globalStorage/rooveterinaryinc.roo-cline'),
    user: {
      ...mcpServers,
      paths: appendPath(
        vscodeFolders,
        '/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
      ),
    },
    project: { ...mcpServers, paths: ['.roo/mcp.json'] },
    byHand: 'MCP Servers > Edit Global MCP opens the file.',
  },
  continue: {
    title: 'Continue',
    folders: ['<CONTINUE_GLOBAL_DIR>'],
    user: {
      paths: ['<CONTINUE_GLOBAL_DIR>/config.yaml'],
      format: 'yaml',
      keys: ['mcpServers'],
      shape: 'named',
      list: true,
      cannotCreate: 'a new config.yaml would replace the configuration that Continue uses now',
    },
    project: {
      paths: ['.continue/mcpServers/mneme.yaml'],
      format: 'yaml',
      keys: ['mcpServers'],
      shape: 'named',
      list: true,
      start: 'name: mneme\nversion: 0.0.1\nschema: v1\n',
    },
  },
  goose: {
    title: 'Goose',
    folders: {
      darwin: ['~/.config/goose'],
      win32: ['<APPDATA>/Block/goose'],
      linux: ['<XDG_CONFIG_HOME>/goose'],
    },
    user: {
      paths: {
        darwin: ['~/.config/goose/config.yaml'],
        win32: ['<APPDATA>/Block/goose/config/config.yaml'],
        linux: ['<XDG_CONFIG_HOME>/goose/config.yaml'],
      },
      format: 'yaml',
      keys: ['extensions'],
      shape: 'goose',
    },
  },
  opencode: {
    title: 'opencode',
    folders: ['<XDG_CONFIG_HOME>/opencode'],
    commands: ['opencode'],
    user: {
      paths: [
        '<XDG_CONFIG_HOME>/opencode/opencode.json',
        '<XDG_CONFIG_HOME>/opencode/opencode.jsonc',
      ],
      format: 'json',
      keys: ['mcp'],
      shape: 'opencode',
    },
    project: {
      paths: ['opencode.json', 'opencode.jsonc'],
      format: 'json',
      keys: ['mcp'],
      shape: 'opencode',
    },
  },
  'amazon-q': {
    title: 'Amazon Q Developer',
    folders: ['~/.aws/amazonq'],
    user: { ...mcpServers, paths: ['~/.aws/amazonq/mcp.json'] },
    project: { ...mcpServers, paths: ['.amazonq/mcp.json'] },
  },
  kiro: {
    title: 'Kiro',
    folders: ['~/.kiro'],
    user: { ...mcpServers, paths: ['~/.kiro/settings/mcp.json'] },
    project: { ...mcpServers, paths: ['.kiro/settings/mcp.json'] },
  },
  'copilot-cli': {
    title: 'GitHub Copilot CLI',
    folders: ['<COPILOT_HOME>'],
    commands: ['copilot'],
    user: { ...mcpServers, shape: 'copilot', paths: ['<COPILOT_HOME>/mcp-config.json'] },
  },
  junie: {
    title: 'Junie (JetBrains)',
    folders: ['~/.junie'],
    user: { ...mcpServers, paths: ['~/.junie/mcp/mcp.json'] },
    project: { ...mcpServers, paths: ['.junie/mcp/mcp.json'] },
  },
} as const satisfies Record<string, ClientDefinition>;

export type ClientName = keyof typeof clients;

export const clientNames = Object.keys(clients) as ClientName[];

export function isClientName(name: string): name is ClientName {
  return Object.hasOwn(clients, name);
}

/** Clients with the same paths on every platform have a single list. */
export function forPlatform<T>(value: T | PerPlatform<T>, platform: Platform): T {
  return isPerPlatform(value) ? value[platform] : value;
}

function isPerPlatform<T>(value: T | PerPlatform<T>): value is PerPlatform<T> {
  return typeof value === 'object' && value !== null && 'win32' in value;
}

/** The user folder of a build of VS Code. */
function vscodeUserFolders(name: string) {
  return {
    darwin: [`~/Library/Application Support/${name}/User`],
    win32: [`<APPDATA>/${name}/User`],
    linux: [`<XDG_CONFIG_HOME>/${name}/User`],
  } as const;
}

function appendPath(folders: PerPlatform<readonly [string]>, rest: string) {
  const { darwin, win32, linux } = folders;
  return {
    darwin: [`${darwin[0]}${rest}`],
    win32: [`${win32[0]}${rest}`],
    linux: [`${linux[0]}${rest}`],
  } as const;
}

/** Cline moved its file out of VS Code; older versions have only the older file. */
function clineConfigPaths() {
  const now = '<CLINE_MCP_SETTINGS_PATH>';
  const rest = '/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';
  const { darwin, win32, linux } = appendPath(vscodeFolders, rest);
  return { darwin: [now, ...darwin], win32: [now, ...win32], linux: [now, ...linux] } as const;
}
