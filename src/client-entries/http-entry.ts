import { ApiError } from '../contract/errors.ts';
import type { ClientName } from './clients.ts';
import { isServerEntry, type ServerEntry } from './formats/format.ts';
import { type EntryShapeName, omitAddress, omitProgram, shapeDefaults } from './program-entry.ts';

/** The MCP address for clients; without a key they read it from its variable. */
export type ServerAddress = { url: string; key: string | null };

/** The variable with the key, for clients that read variables. */
export const keyVariable = 'MNEME_API_KEY';

/** The field names of a client for an entry with an address. */
type HttpShape = {
  url: 'url' | 'serverUrl' | 'httpUrl';
  type?: 'http' | 'remote' | 'streamable-http' | 'streamableHttp';
  /** Syntax of a variable inside a header; some clients have none. */
  variable?: keyof typeof variableSyntax;
  /** The field names for headers, and for the variable that holds the key. */
  headers?: 'http_headers';
  bearer?: 'bearer_token_env_var';
};

const variableSyntax = {
  shell: (name: string) => `\${${name}}`,
  env: (name: string) => `\${env:${name}}`,
  braces: (name: string) => `{env:${name}}`,
};

/** Clients whose files can hold addresses; others start programs, or keep addresses elsewhere. */
const httpShapes: Partial<Record<ClientName, HttpShape>> = {
  'claude-code': { url: 'url', type: 'http', variable: 'shell' },
  cursor: { url: 'url', variable: 'env' },
  vscode: { url: 'url', type: 'http', variable: 'env' },
  'vscode-insiders': { url: 'url', type: 'http', variable: 'env' },
  windsurf: { url: 'serverUrl', variable: 'env' },
  codex: { url: 'url', headers: 'http_headers', bearer: 'bearer_token_env_var' },
  zed: { url: 'url' },
  gemini: { url: 'httpUrl', variable: 'shell' },
  'lm-studio': { url: 'url' },
  cline: { url: 'url', type: 'streamableHttp' },
  'roo-code': { url: 'url', type: 'streamable-http', variable: 'env' },
  opencode: { url: 'url', type: 'remote', variable: 'braces' },
  'amazon-q': { url: 'url', type: 'http' },
  kiro: { url: 'url', variable: 'shell' },
  'copilot-cli': { url: 'url', type: 'http' },
};

/** Whether the client's file can hold an address, and whether it can name the key's variable. */
export function addressSupport(name: ClientName): { address: boolean; variable: boolean } {
  const { variable, bearer } = httpShapes[name] ?? {};
  return {
    address: httpShapes[name] !== undefined,
    variable: variable !== undefined || bearer !== undefined,
  };
}

/**
 * The entry for a client that connects to an address. Keeps the fields of an existing entry that
 * mneme does not write. Throws `conflict` when the client cannot connect to an address, or could
 * not read the key.
 */
export function httpEntryFor(
  { name, shape }: { name: ClientName; shape: EntryShapeName },
  { url, key }: ServerAddress,
  existing: ServerEntry = {},
): ServerEntry {
  const http = httpShapes[name];
  if (http === undefined) {
    const what =
      'it starts programs and cannot connect to an address: use --base-url instead of --url';
    throw new ApiError('conflict', what);
  }
  const { type, headers = 'headers', bearer } = http;
  const where = { ...(type && { type }), [http.url]: url };
  const before = isServerEntry(existing[headers]) ? existing[headers] : {};
  const others = { ...shapeDefaults[shape], ...omitProgram(omitAddress(existing), shape) };
  if (key === null && bearer !== undefined) {
    const { Authorization: _, ...kept } = before;
    const own = Object.keys(kept).length === 0 ? {} : { [headers]: kept };
    return { ...where, [bearer]: keyVariable, ...own, ...others };
  }
  const Authorization = `Bearer ${key ?? keyReference(http)}`;
  return { ...where, [headers]: { ...before, Authorization }, ...others };
}

function keyReference({ variable }: HttpShape): string {
  if (variable !== undefined) return variableSyntax[variable](keyVariable);
  const what = 'it reads no variables, so its file must hold the key: add --with-secrets';
  throw new ApiError('conflict', what);
}
