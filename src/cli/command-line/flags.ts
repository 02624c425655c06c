import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closestName } from '../../contract/did-you-mean.ts';
import { ApiError } from '../../contract/errors.ts';

/** A `switch` is on when it is named; `text` takes a value. */
export type FlagKind = 'switch' | 'text';

/** Flags that a command accepts, named like options and fields: `data_dir`. */
export type FlagKinds = Readonly<Record<string, FlagKind>>;

export type CommandArguments = {
  flags: Record<string, string | boolean>;
  positionals: string[];
};

/**
 * Parses a command line: `--data-dir DIR`, `--data-dir=DIR`, `--read-only`, `--no-read-only`,
 * `--read-only false`. Names may be written with `-` or `_`; a dotted one (`--metadata.topic x`)
 * sets a key of an object. Throws `invalid` on an unknown flag.
 */
export function parseCommandLine(args: readonly string[], kinds: FlagKinds): CommandArguments {
  refuseSingleDashes(args, kinds);
  const { tokens } = parseArgs({
    args: args.map(withDashes),
    options: parserOptions(args, kinds),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const result: CommandArguments = { flags: {}, positionals: [] };
  let last: { name: string; index: number } | null = null;
  for (const token of tokens) {
    if (token.kind === 'option') {
      const flag = readFlag(token, kinds);
      result.flags[flag.name] = flag.value;
      last = flag.bare ? { name: flag.name, index: token.index } : null;
    } else if (token.kind === 'positional') {
      const isValue = last?.index === token.index - 1 && /^(true|false)$/.test(token.value);
      if (last !== null && isValue) result.flags[last.name] = token.value;
      else result.positionals.push(token.value);
      last = null;
    }
  }
  return result;
}

/** `-limit`, which the parser would read as a row of letters. */
function refuseSingleDashes(args: readonly string[], kinds: FlagKinds): void {
  const end = args.indexOf('--');
  for (const arg of args.slice(0, end === -1 ? undefined : end)) {
    const [, spelling] = /^-([a-z][\w-]+)(?:[=.]|$)/i.exec(arg) ?? [];
    if (spelling === undefined) continue;
    const name = withUnderscores(spelling);
    const suggestion = Object.hasOwn(kinds, name) ? name : meantFlag(name, kinds);
    throw new ApiError('invalid', `flag -${spelling}: ${notAFlag(suggestion)}`);
  }
}

type OptionToken = { name: string; value?: string | undefined; inlineValue?: boolean | undefined };
type ReadFlag = { name: string; value: string | boolean; bare: boolean };

function readFlag({ name: spelling, value, inlineValue }: OptionToken, kinds: FlagKinds): ReadFlag {
  const name = withUnderscores(spelling);
  const kind = findFlagKind(name, kinds);
  if (kind === undefined) {
    const positive = name.replace(/^no_/, '');
    const negates = positive !== name && findFlagKind(positive, kinds) === 'switch';
    if (negates && value === undefined) return { name: positive, value: false, bare: false };
    throw new ApiError('invalid', `flag ${flagText(name)}: ${unknownFlagMessage(name, kinds)}`);
  }
  if (kind === 'switch') return { name, value: value ?? true, bare: value === undefined };
  const looksLikeFlag = value !== undefined && !inlineValue && /^--?[a-z]/i.test(value);
  if (value === undefined || looksLikeFlag) {
    throw new ApiError(
      'invalid',
      `flag ${flagText(name)}: needs a value (${flagText(name)}=VALUE)`,
    );
  }
  return { name, value, bare: false };
}

function unknownFlagMessage(name: string, kinds: FlagKinds): string {
  return notAFlag(meantFlag(name, kinds));
}

function notAFlag(suggestion: string | null): string {
  if (suggestion === null) return 'is not a flag of this command; --help lists them';
  return suggestion === 'version'
    ? 'is not a flag of this command; mneme --version prints the version'
    : `is not a flag of this command; did you mean ${flagText(suggestion)}?`;
}

/** The flag that begins with this name (`--user` for `--user-id`), otherwise the most similar. */
function meantFlag(name: string, kinds: FlagKinds): string | null {
  const names = Object.keys(kinds);
  const longer = names.filter((flag) => flag.startsWith(`${name}_`));
  const [match] = longer;
  if (match !== undefined && longer.length === 1) return match;
  return closestName(name, [...names, 'version', 'help']);
}

function findFlagKind(name: string, kinds: FlagKinds): FlagKind | undefined {
  const [root = '', ...path] = name.split('.');
  const kind = Object.hasOwn(kinds, root) ? kinds[root] : undefined;
  return path.length > 0 && kind === 'switch' ? undefined : kind;
}

function parserOptions(args: readonly string[], kinds: FlagKinds) {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  const paths = args.flatMap((arg) => /^--([^=]+\.[^=]*)/.exec(arg)?.[1] ?? []);
  for (const name of [...Object.keys(kinds), ...paths.map(withUnderscores)]) {
    const kind = findFlagKind(name, kinds);
    if (kind !== undefined) {
      options[dashedName(name)] = { type: kind === 'text' ? 'string' : 'boolean' };
    }
  }
  return options;
}

/** Names are compared with dashes; the part after the first dot is a key of the caller. */
function withDashes(arg: string): string {
  if (!arg.startsWith('--') || arg === '--') return arg;
  const [, name = '', rest = ''] = /^--([^.=]*)(.*)$/s.exec(arg) ?? [];
  return `--${name.replaceAll('_', '-')}${rest}`;
}

function dashedName(name: string): string {
  return withDashes(`--${name}`).slice(2);
}

function withUnderscores(name: string): string {
  const [root = '', ...path] = name.split('.');
  return [root.replaceAll('-', '_'), ...path].join('.');
}

/** A flag as people type it: `--user-id`. */
export function flagText(name: string): string {
  return name.length === 1 ? `-${name}` : withDashes(`--${name}`);
}
