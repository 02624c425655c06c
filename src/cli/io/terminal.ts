import { WriteStream } from 'node:tty';
import { environment } from '../../config/environment.ts';

/** What standard output is, and what it can show. */
export type Terminal = {
  /** Whether a person reads it: tables with a heading, relative times. Otherwise plain lines. */
  isInteractive: boolean;
  /** Characters in a line. */
  columns: number;
  /** Colours are on at a terminal; NO_COLOR turns them off and FORCE_COLOR on, also in a pipe. */
  hasColors: boolean;
};

type OutputStream = { isTTY?: boolean | undefined; columns?: number | undefined };

/** Few terminals are narrower than this, and no table can be read there. */
const columnsMin = 40;

export function describeTerminal(
  stream: OutputStream = process.stdout,
  env: NodeJS.ProcessEnv = environment,
): Terminal {
  const isInteractive = stream.isTTY === true;
  // A terminal that does not know its width, such as one in a container, says 0.
  const columns = Math.max(columnsMin, stream.columns || 80);
  return { isInteractive, columns, hasColors: wantsColors(isInteractive, env) };
}

function wantsColors(isInteractive: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  const { FORCE_COLOR: forced } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isInteractive && WriteStream.prototype.getColorDepth.call(process.stdout, env) > 2;
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };

export type Style = keyof typeof codes;

export function paint(text: string, style: Style | undefined, { hasColors }: Terminal): string {
  if (style === undefined || !hasColors || text === '') return text;
  const [on, off] = codes[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}
