/** How a client starts the server. */
export type Start = {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
};

/** An entry in a client's file. */
export type Entry = Record<string, unknown>;

/** What each kind of client calls the parts of an entry; the first of them for most. */
const shapes = {
  plain: ({ command, args, env }: Start): Entry => ({ command, args, ...given({ env }) }),
  stdio: (start: Start): Entry => ({ type: 'stdio', ...shapes.plain(start) }),
  copilot: (start: Start): Entry => ({ type: 'local', ...shapes.plain(start) }),
  named: (start: Start): Entry => ({ name: entryName, ...shapes.plain(start) }),
  opencode: ({ command, args, env }: Start): Entry => ({
    type: 'local',
    command: [command, ...args],
    ...given({ environment: env }),
  }),
  goose: ({ command, args, env }: Start): Entry => ({
    type: 'stdio',
    name: entryName,
    cmd: command,
    args,
    ...given({ envs: env }),
  }),
};

export type ShapeName = keyof typeof shapes;

/** What an entry needs besides, which its owner may have changed. */
export const defaults: Partial<Record<ShapeName, Entry>> = {
  copilot: { tools: ['*'] },
  goose: { enabled: true, timeout: 300, description: 'Long-term memory' },
};

/** What the variables of an entry are called. */
const variables: Partial<Record<ShapeName, string>> = { opencode: 'environment', goose: 'envs' };

/** The name of the server in every file. */
export const entryName = 'mneme';

/**
 * The entry for a client. Of one that is there already it keeps what mneme does not write:
 * switches of the client, and variables that are not mneme's.
 */
export function entryFor(shape: ShapeName, start: Start, existing: Entry = {}): Entry {
  const name = variables[shape] ?? 'env';
  const before = Object.entries(isEntry(existing[name]) ? existing[name] : {});
  const kept = before.filter(([variable]) => !variable.startsWith('MNEME_'));
  const env = { ...Object.fromEntries(kept), ...start.env } as Record<string, string>;
  const { [name]: _, ...others } = withoutAddress(existing);
  const entry = { ...shapes[shape]({ ...start, env }), ...defaults[shape], ...others };
  return { ...entry, ...shapes[shape]({ ...start, env }) };
}

const addressFields = [
  ...['url', 'serverUrl', 'httpUrl', 'headers', 'http_headers', 'bearer_token_env_var'],
];

/** Of an entry for an address, what any other keeps. */
export function withoutAddress(entry: Entry): Entry {
  if (!addressFields.some((name) => Object.hasOwn(entry, name))) return entry;
  const others = Object.entries(entry).filter(
    ([name]) => name !== 'type' && !addressFields.includes(name),
  );
  return Object.fromEntries(others);
}

/** Of an entry for a program, what one for an address keeps. */
export function withoutProgram(entry: Entry, shape: ShapeName): Entry {
  const { type: _, command, args, cmd, [variables[shape] ?? 'env']: env, ...others } = entry;
  return others;
}

export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Clients show an empty object of variables as if it meant something. */
function given(parts: Record<string, Readonly<Record<string, string>>>): Entry {
  return Object.fromEntries(Object.entries(parts).filter(([, env]) => Object.keys(env).length > 0));
}
