import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { applyPlan, createPlan } from '../../src/cli/init/apply-plan.ts';
import { createTarget, isClientInstalled } from '../../src/cli/init/target.ts';
import { type ClientName, clientNames } from '../../src/client-entries/clients.ts';
import { prepared, preparedPlace, start, targetFor } from './init-support.ts';

const mac = 'Library/Application Support';
const win = 'AppData/Roaming';

/** Where the clients' own documents say that their files are: macOS, Windows, Linux. */
const files: Record<ClientName, [darwin: string, win32: string, linux: string]> = {
  'claude-desktop': [
    `${mac}/Claude/claude_desktop_config.json`,
    `${win}/Claude/claude_desktop_config.json`,
    '.config/Claude/claude_desktop_config.json',
  ],
  'claude-code': everywhere('.claude.json'),
  cursor: everywhere('.cursor/mcp.json'),
  vscode: [`${mac}/Code/User/mcp.json`, `${win}/Code/User/mcp.json`, '.config/Code/User/mcp.json'],
  'vscode-insiders': [
    `${mac}/Code - Insiders/User/mcp.json`,
    `${win}/Code - Insiders/User/mcp.json`,
    '.config/Code - Insiders/User/mcp.json',
  ],
  windsurf: everywhere('.codeium/windsurf/mcp_config.json'),
  codex: everywhere('.codex/config.toml'),
  zed: ['.config/zed/settings.json', `${win}/Zed/settings.json`, '.config/zed/settings.json'],
  gemini: everywhere('.gemini/settings.json'),
  'lm-studio': everywhere('.lmstudio/mcp.json'),
  cline: everywhere('.cline/data/settings/cline_mcp_settings.json'),
  'roo-code': [
    `${mac}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
    `${win}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
    '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
  ],
  continue: everywhere('.continue/config.yaml'),
  goose: [
    '.config/goose/config.yaml',
    `${win}/Block/goose/config/config.yaml`,
    '.config/goose/config.yaml',
  ],
  opencode: everywhere('.config/opencode/opencode.json'),
  'amazon-q': everywhere('.aws/amazonq/mcp.json'),
  kiro: everywhere('.kiro/settings/mcp.json'),
  'copilot-cli': everywhere('.copilot/mcp-config.json'),
  junie: everywhere('.junie/mcp/mcp.json'),
};

/** What they read there, one level above the entry. */
const plain = { mcpServers: { mneme: { command: 'npx', args: ['-y', 'mneme'] } } };
const written: Partial<Record<ClientName, unknown>> = {
  'claude-code': { mcpServers: { mneme: { type: 'stdio', ...plain.mcpServers.mneme } } },
  vscode: { servers: { mneme: { type: 'stdio', ...plain.mcpServers.mneme } } },
  'vscode-insiders': { servers: { mneme: { type: 'stdio', ...plain.mcpServers.mneme } } },
  codex: { mcp_servers: plain.mcpServers },
  zed: { context_servers: plain.mcpServers },
  continue: { mcpServers: [{ name: 'mneme', ...plain.mcpServers.mneme }] },
  goose: {
    extensions: {
      mneme: {
        type: 'stdio',
        name: 'mneme',
        cmd: 'npx',
        args: ['-y', 'mneme'],
        enabled: true,
        timeout: 300,
        description: 'Long-term memory',
      },
    },
  },
  opencode: { mcp: { mneme: { type: 'local', command: ['npx', '-y', 'mneme'] } } },
  'copilot-cli': {
    mcpServers: { mneme: { type: 'local', ...plain.mcpServers.mneme, tools: ['*'] } },
  },
};

describe.each(clientNames)('%s', (name) => {
  it.each(['darwin', 'win32', 'linux'] as const)('has its file on %s', (platform) => {
    const place = preparedPlace({ platform });
    const [darwin, win32, linux] = files[name];

    const { file } = targetFor(name, place);

    expect(relative(place.home, file)).toBe({ darwin, win32, linux }[platform]);
  });

  it.each(['darwin', 'win32', 'linux'] as const)(
    'is found by what its folder holds on %s',
    (platform) => {
      const place = preparedPlace({ platform });

      const before = isClientInstalled(name, place);
      const folder = relative(place.home, dirname(targetFor(name, place).file));
      for (const empty of [folder, '.claude', join(folder, 'settings')]) {
        mkdirSync(join(place.home, empty), { recursive: true });
      }
      const empty = isClientInstalled(name, place);
      prepared(place, join(folder, 'state'), '');
      prepared(place, '.claude/state', '');

      expect({ before, empty }).toEqual({ before: false, empty: false });
      expect(isClientInstalled(name, place)).toBe(true);
    },
  );

  it('gets an entry that it understands, beside what is there', async () => {
    const place = preparedPlace();
    const target = targetFor(name, place);
    prepared(place, relative(place.home, target.file), target.format === 'toml' ? '# a\n' : '');

    await applyPlan(target, await createPlan(target, { undo: false }));

    const text = readFileSync(target.file, 'utf8');
    const read: Record<string, (text: string) => unknown> = {
      json: JSON.parse,
      yaml: parseYaml,
      toml: (toml) => structuredClone(parseToml(toml)),
    };
    expect(read[target.format]?.(text)).toEqual(written[name] ?? plain);
  });
});

it('every client has a row here', () => {
  expect(Object.keys(files)).toEqual(clientNames);
});

describe('the environment', () => {
  it.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude.json'],
    ['codex', 'CODEX_HOME', 'config.toml'],
    ['zed', 'XDG_CONFIG_HOME', 'zed/settings.json'],
    ['vscode', 'XDG_CONFIG_HOME', 'Code/User/mcp.json'],
    ['cline', 'CLINE_DATA_DIR', 'settings/cline_mcp_settings.json'],
    ['cline', 'CLINE_DIR', 'data/settings/cline_mcp_settings.json'],
    ['cline', 'CLINE_MCP_SETTINGS_PATH', ''],
    ['continue', 'CONTINUE_GLOBAL_DIR', 'config.yaml'],
    ['copilot-cli', 'COPILOT_HOME', 'mcp-config.json'],
    ['gemini', 'GEMINI_CLI_HOME', '.gemini/settings.json'],
  ] as const)('moves the file of %s by %s', (name, variable, rest) => {
    const place = preparedPlace({ env: { [variable]: '/elsewhere' } });

    expect(targetFor(name, place).file).toBe(join('/elsewhere', rest));
  });

  it('is not believed where it is empty', () => {
    const place = preparedPlace({ env: { CODEX_HOME: '' } });

    expect(targetFor('codex', place).file).toBe(join(place.home, '.codex/config.toml'));
  });

  it.each([
    ['linux', 'codex'],
    ['win32', 'codex.cmd'],
  ] as const)('leads to commands on %s', (platform, command) => {
    const place = preparedPlace({ platform });
    const path = dirname(prepared(place, `bin/${command}`, ''));

    expect(isClientInstalled('codex', { ...place, env: { PATH: path } })).toBe(true);
    expect(isClientInstalled('gemini', { ...place, env: { PATH: path } })).toBe(false);
  });
});

describe('a file that may be in several places', () => {
  const packaged = 'AppData/Local/Packages/Claude_pzs8sxrjxfjjc';
  const inPackage = `${packaged}/LocalCache/Roaming/Claude/claude_desktop_config.json`;
  const roaming = 'AppData/Roaming/Claude/claude_desktop_config.json';

  it.each([
    ['a new one for the packaged program', [`${packaged}/x`], inPackage],
    ['its own of the packaged program', [inPackage, roaming], inPackage],
    ['the shared one, which the packaged program sees', [`${packaged}/x`, roaming], roaming],
    ['the shared one without a package', [roaming], roaming],
  ])('is the one that Claude Desktop reads: %s', (_, existing, expected) => {
    const place = preparedPlace({ platform: 'win32' });
    for (const file of existing) prepared(place, file, '{}');

    expect(relative(place.home, targetFor('claude-desktop', place).file)).toBe(expected);
  });

  it('is the one that is there: the older one of Cline', () => {
    const place = preparedPlace();
    const storage = '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings';
    const file = prepared(place, `${storage}/cline_mcp_settings.json`, '{}');

    expect(targetFor('cline', place).file).toBe(file);
  });

  it('is the one that is there: opencode.jsonc', () => {
    const place = preparedPlace();
    const file = prepared(place, '.config/opencode/opencode.jsonc', '{}');

    expect(targetFor('opencode', place).file).toBe(file);
  });
});

describe('a project', () => {
  it('has files of its own', () => {
    const place = preparedPlace();
    const named = clientNames.flatMap((name) => {
      const target = createTarget(name, place, { scope: 'project', connection: start });
      return target === null ? [] : [[name, relative(place.cwd, target.file)]];
    });

    expect(Object.fromEntries(named)).toEqual({
      'claude-code': '.mcp.json',
      cursor: '.cursor/mcp.json',
      vscode: '.vscode/mcp.json',
      'vscode-insiders': '.vscode/mcp.json',
      codex: '.codex/config.toml',
      gemini: '.gemini/settings.json',
      'roo-code': '.roo/mcp.json',
      continue: '.continue/mcpServers/mneme.yaml',
      opencode: 'opencode.json',
      'amazon-q': '.amazonq/mcp.json',
      kiro: '.kiro/settings/mcp.json',
      junie: '.junie/mcp/mcp.json',
    });
  });

  it('gets a file of its own for Continue', async () => {
    const target = targetFor('continue', preparedPlace(), 'project');

    await applyPlan(target, await createPlan(target, { undo: false }));

    expect(parseYaml(readFileSync(target.file, 'utf8'))).toEqual({
      name: 'mneme',
      version: '0.0.1',
      schema: 'v1',
      mcpServers: [{ name: 'mneme', ...plain.mcpServers.mneme }],
    });
  });
});

function everywhere(file: string): [string, string, string] {
  return [file, file, file];
}
