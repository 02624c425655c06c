import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The built program. */
export const cli = join(import.meta.dirname, '../../dist/cli.js');

/** `script` of util-linux, which runs a command at a terminal of its own. */
export const hasScript =
  process.platform === 'linux' &&
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

const escapeCode = '\u001b';
const promptControls = new RegExp(`${escapeCode}\\[\\d*[GJ]`, 'g');

export type AtTerminal = { env?: Record<string, string>; input?: string };

/** What a terminal of 80 columns gets to see, without the control sequences of the prompt. */
export function runAtTerminal(home: string) {
  return (args: readonly string[], { env = {}, input = '' }: AtTerminal = {}) => {
    const command = [process.execPath, cli, ...args].map((word) => `'${word}'`).join(' ');
    const { stdout, status } = spawnSync(
      'script',
      ['-qec', `stty cols 80 -echo; ${command}`, '/dev/null'],
      {
        cwd: home,
        encoding: 'utf8',
        input,
        env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', USER: 'ann', ...env },
      },
    );
    return { code: status, text: stdout.replaceAll('\r\n', '\n').replaceAll(promptControls, '') };
  };
}
