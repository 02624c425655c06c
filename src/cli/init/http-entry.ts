import { variableName } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ClientName } from './clients.ts';
import { isServerEntry, type ServerEntry } from './formats/format.ts';
import { type EntryShapeName, omitAddress, omitProgram, shapeDefaults } from './program-entry.ts';
import type { ServerAddress } from './server-address.ts';

/** What a client calls the parts of an entry for an address. */
type HttpShape = {
  url: 'url' | 'serverUrl' | 'httpUrl';
  type?: 'http' | 'remote' | 'streamable-http' | 'streamableHttp';
  /** How it reads a variable inside a header; some read none. */
  variable?: keyof typeof variableSyntax;
  /** What it calls headers, and the variable that holds the key. */
  headers?: 'http_headers';
  bearer?: 'bearer_token_env_var';
};

const variableSyntax = {
  shell: (name: string) => `\${${name}}`,
  env: (name: string) => `\${env:${name}}`,
  braces: (name: string) => `{env:${name}}`,
};

/** The clients whose files hold addresses; the others start programs, or keep them elsewhere. */
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

/**
 * The entry for a client that connects to an address. Of one that is there already it keeps what
 * mneme does not write. Throws `conflict` where the client reads no address, or could not know the
 * key.
 */
export function httpEntryFor(
  { name, shape }: { name: ClientName; shape: EntryShapeName },
  { url, key }: ServerAddress,
  existing: ServerEntry = {},
): ServerEntry {
  const http = httpShapes[name];
  if (http === undefined) {
    const what = 'it starts programs and reads no addresses: give --base-url in the place of --url';
    throw new ApiError('conflict', what);
  }
  const { type, headers = 'headers', bearer } = http;
  const where = { ...(type && { type }), [http.url]: url };
  const before = isServerEntry(existing[headers]) ? existing[headers] : {};
  const others = { ...shapeDefaults[shape], ...omitProgram(omitAddress(existing), shape) };
  if (key === null && bearer !== undefined) {
    const { Authorization: _, ...kept } = before;
    const own = Object.keys(kept).length === 0 ? {} : { [headers]: kept };
    return { ...where, [bearer]: variableName('api_key'), ...own, ...others };
  }
  const Authorization = `Bearer ${key ?? keyReference(http)}`;
  return { ...where, [headers]: { ...before, Authorization }, ...others };
}

function keyReference({ variable }: HttpShape): string {
  if (variable !== undefined) return variableSyntax[variable](variableName('api_key'));
  const what = 'it reads no variables, so the key has to stand there: give --with-secrets';
  throw new ApiError('conflict', what);
}
