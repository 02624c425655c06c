import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandWords } from '../../src/cli/command-line/command-table.ts';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);
const shells = ['bash', 'zsh', 'fish'] as const;
const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

beforeAll(async () => {
  for (const shell of shells) {
    const { stdout } = await run(['completion', shell]);
    writeFileSync(join(home, shell), stdout);
  }
}, 60_000);

/** What the shell offers after the words; the last one is what is being typed. */
const offered: Record<(typeof shells)[number], (words: readonly string[]) => string[]> = {
  bash: (words) =>
    output('bash', [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
      'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mneme; printf "%s\\n" "${COMPREPLY[@]}"',
      join(home, 'bash'),
      ...words,
    ]),
  // The functions that show completions are replaced: they need a terminal.
  zsh: (words) =>
    output('zsh', [
      [
        // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
        'compdef() {}; _files() {}; _describe() { print -rl -- ${(P)@[-1]} };',
        'source "$0"; words=("$@"); CURRENT=$#; _mneme',
      ].join(' '),
      join(home, 'zsh'),
      ...words,
    ]).map((line) => line.split(':')[0] ?? ''),
  fish: (words) =>
    output('fish', [`source ${join(home, 'fish')}; complete -C '${words.join(' ')}'`]).map(
      (line) => line.split('\t')[0] ?? '',
    ),
};

function output(shell: string, args: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(shell, ['-c', ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home },
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe.each(shells)('completion of %s', (shell) => {
  const needed = { skip: !has(shell) };

  it('offers every command', needed, () => {
    expect(offered[shell](['mneme', ''])).toEqual(expect.arrayContaining(commandWords));
  });

  it('offers after another name of a command what it offers after the command', needed, () => {
    const flags = offered[shell](['mneme', 'search', '--']);

    expect(flags).toContain('--top-k');
    expect(offered[shell](['mneme', 'recall', '--'])).toEqual(flags);
  });

  it('offers the actions of a command, and the flags of each', needed, () => {
    expect(offered[shell](['mneme', 'keys', ''])).toEqual(
      expect.arrayContaining(['create', 'list', 'revoke']),
    );
    const created = offered[shell](['mneme', 'keys', 'create', '--']);
    const listed = offered[shell](['mneme', 'keys', 'list', '--']);
    expect(created).toContain('--expires-in-days');
    expect(listed).not.toContain('--expires-in-days');
    expect(listed).toContain('--data-dir');
  });

  it('offers the operations of call, and the commands that help explains', needed, () => {
    expect(offered[shell](['mneme', 'call', ''])).toContain('search_memories');
    expect(offered[shell](['mneme', 'help', ''])).toContain('forget');
  });
});

describe('mneme completion', () => {
  it('refuses another shell', async () => {
    const { code, stderr } = await run(['completion', 'tcsh']);

    expect(code).toBe(2);
    expect(stderr).toMatch(/"tcsh".*bash, zsh, fish/);
  });
});
