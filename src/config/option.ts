import type * as z from 'zod';
import type { StrictOmit } from '../contract/strict-omit.ts';

/** A default that depends on the machine, with the text that the docs show for it. */
type DerivedDefault<T> = { derive: () => T; shown: string };

/**
 * What `mneme.config.json` in the working folder may set for an option. That file comes with a
 * cloned repository, so anybody may have written it. Each option must say so: the compiler asks.
 *
 * - `refused`: nothing. It names a place, a program, a secret or a limit, or widens something.
 * - `allowed`: everything. It says whose memories these are, or how something looks.
 * - `tools`: fewer tools than the user chose, never more.
 * - `narrows`: all but the first of these values, which are the widest first; of the user's value
 *   and the file's, the narrower one counts.
 */
export type FromProject<T = unknown> =
  | 'refused'
  | 'allowed'
  | 'tools'
  | { narrows: readonly [T, ...T[]] };

/** One option: flag, environment variable, file key, help and README row all follow from it. */
export type Option<T = unknown, D = unknown> = {
  schema: z.ZodType<T>;
  default: D | DerivedDefault<D>;
  /** An imperative for a switch ("Allow ..."); a noun phrase for the value of other options. */
  description: string;
  /** A path: `~` is resolved, and so are relative paths, against the folder of their source. */
  path?: true;
  /** A name, or a path if it begins with `/`, `~` or a dot. */
  nameOrPath?: true;
  /** Names of tools. The list of valid ones is loaded only when this option is set. */
  tools?: true;
  /** Printed masked only. */
  secret?: true;
  fromProject: FromProject<T>;
  /** It configures the engine, so programs that embed one may set it too. */
  engine?: true;
  /** The installer of a Claude Desktop bundle asks for it under this title. */
  installerTitle?: string;
};

type OptionDetails<T, D> = StrictOmit<Option<T, D>, 'schema'>;

export function option<T>(
  schema: z.ZodType<T>,
  rest: OptionDetails<NoInfer<T>, NoInfer<T>>,
): Option<T, T>;
export function option<T>(
  schema: z.ZodType<T>,
  rest: OptionDetails<NoInfer<T>, null>,
): Option<T, null>;
export function option<T>(
  schema: z.ZodType<T>,
  rest: OptionDetails<NoInfer<T>, T | null>,
): Option<T, T | null> {
  return { schema, ...rest };
}

export function defaultOnThisMachine({ default: value }: Option): unknown {
  return isDerivedDefault(value) ? value.derive() : value;
}

/**
 * Gives an option its default. One of the machine is derived when it is first read: finding out the
 * time zone takes a tenth of a start, which needs none.
 */
export function setDefault(
  values: Record<string, unknown>,
  name: string,
  { default: value }: Option,
): void {
  const set = (value: unknown) => {
    const details = { configurable: true, enumerable: true, writable: true };
    Object.defineProperty(values, name, { ...details, value });
    return value;
  };
  if (!isDerivedDefault(value)) {
    set(value);
    return;
  }
  const get = () => set(value.derive());
  Object.defineProperty(values, name, { configurable: true, enumerable: true, get, set });
}

/** The default of an option as the docs show it, the same on every machine. */
export function documentedDefault({ default: value }: Option): string {
  if (isDerivedDefault(value)) return value.shown;
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'unset';
  return String(value);
}

function isDerivedDefault(value: unknown): value is DerivedDefault<unknown> {
  return typeof value === 'object' && value !== null && 'derive' in value;
}
