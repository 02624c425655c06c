import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command-line/command.ts';
import { commands, commandWords } from '../../src/cli/command-line/command-table.ts';
import { resolveCommandName } from '../../src/cli/command-line/find-command.ts';
import { commandGroups } from '../../src/cli/commands/help.ts';
import { commonOptions, orderedOptions } from '../../src/config/option-sections.ts';
import { isOptionName, optionNames } from '../../src/config/options.ts';
import { contract } from '../../src/contract.ts';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);

describe('mneme config', () => {
  it('prints the effective configuration', async () => {
    const { code, stdout } = await run(['config', '--read-only'], { env: { MNEME_APP_ID: 'x' } });

    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(stdout))).toEqual(optionNames);
    expect(JSON.parse(stdout)).toMatchObject({ read_only: true, app_id: 'x' });
  });

  it('says where each value comes from', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'mneme.config.json'), '{ "agent_id": "a" }');

    const { stdout } = await run(['config', '--sources', '--no-read-only'], { cwd });

    const { files, sources } = JSON.parse(stdout);
    expect(files).toEqual([expect.stringContaining('mneme.config.json')]);
    expect(sources).toMatchObject({
      agent_id: `${files[0]}: "agent_id"`,
      read_only: 'flag --read-only',
      user_id: 'default',
    });
  });

  it('prints the schema that ships in the package', async () => {
    const { stdout } = await run(['config', '--schema']);

    const shipped = join(import.meta.dirname, '../../dist/config.schema.json');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(shipped, 'utf8')));
  });

  it('says every mistake on a line of its own', async () => {
    const { code, stdout, stderr } = await run(['config', '--lease-ms', '1'], {
      env: { MNEME_LEASE: '1' },
    });

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^error: environment MNEME_LEASE: .*MNEME_LEASE_MS/),
      expect.stringMatching(/^error: flag --lease-ms: .*1000/),
      '',
    ]);
  });
});

describe('mneme tools', () => {
  it('lists names, titles and what they cost', async () => {
    const { code, stdout } = await run(['tools', '--toolsets', 'core']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}add_memory +\d+ +Add memory$/m);
    expect(stdout).toMatch(/7 tools cost a model 1,\d{3} tokens \(o200k\)/);
  });

  it('lists them as clients see them', async () => {
    const { stdout } = await run(['tools', '--json', '--read-only', '--exclude-tools=get_event']);

    const names = JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
    expect(names).toContain('search_memories');
    expect(names).not.toContain('add_memory');
    expect(names).not.toContain('get_event');
  });
});

describe('help', () => {
  it.each([[['help']], [['--help']], [['-h', '--read-only']]])(
    '%j explains the program',
    async (args) => {
      const { code, stdout, stderr } = await run(args);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const names = Object.keys(commands);
      for (const name of names) expect(stdout).toContain(`  ${`mneme ${name}`.trim()}`);
      expect(stdout).toContain('mneme help options');
      for (const name of Object.keys(commonOptions)) {
        expect(stdout).toContain(`[--${name.replaceAll('_', '-')}`);
      }
      expect(Object.values(commandGroups).flat().sort()).toEqual(names.sort());
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
      expect(stdout.split('\n').length).toBeLessThan(75);
    },
  );

  it('lists all options where it is asked for them, the common ones first', async () => {
    const { code, stdout, stderr } = await run(['help', 'options']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const listed = [...stdout.matchAll(/^ {2}--([\w-]+)/gm)].map(([, flag = '']) =>
      flag.replaceAll('-', '_'),
    );
    expect(listed.filter(isOptionName)).toEqual(orderedOptions);
    expect(stdout).toContain('MNEME_DATA_DIR');
  });

  it.each(commandWords)(
    'explains %s by its own flags, and names what lists the others',
    async (name) => {
      const { code, stdout, stderr } = await run(['help', name]);
      const flagged = await run([name, '--help']);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(flagged.stdout).toBe(name === 'help' ? (await run(['help'])).stdout : stdout);
      const { flags, options: own = [] }: Command = commands[resolveCommandName(name)];
      const shown = Object.keys(flags).filter((flag) => !flags[flag]?.hidden);
      for (const flag of [...shown, ...own]) {
        expect(`${stdout}\n`).toMatch(new RegExp(`  --${flag.replaceAll('_', '-')}\\s`));
      }
      expect(stdout).toContain('mneme help options');
      if (!own.includes('data_dir')) expect(stdout).not.toContain('--data-dir ');
    },
  );

  it.each([
    ['remember', 'add'],
    ['recall', 'search'],
  ])('explains %s as another name of %s', async (alias, name) => {
    const { stdout } = await run(['help', alias]);
    const misspelt = await run([`${alias}l`]);

    expect(stdout).toBe((await run(['help', name])).stdout);
    expect(stdout).toContain(`(also: ${alias})`);
    expect(stdout).toContain(`\n  mneme ${name} `);
    expect(misspelt.stderr).toContain(`Did you mean "${alias}"?`);
  });

  it('explains each command by its flags, and call by its operations', async () => {
    const { stdout } = await run(['call', '--help']);
    const config = await run(['help', 'config']);

    for (const name of Object.keys(contract)) expect(stdout).toContain(`  ${name} `);
    expect(config.stdout).toContain('--sources');
  });

  it.each(Object.keys(contract))('explains the fields of %s with their limits', async (name) => {
    const { code, stdout } = await run(['call', name, '--help']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/Fields:\n {2}--[\w-]+ +\S|It takes no fields/);
  });

  it('says types, limits and defaults', async () => {
    const { stdout } = await run(['help', 'call', 'search_memories']);

    expect(stdout).toMatch(/--query +text\s+Required\. .*\(at most 100000\s+characters\)/);
    expect(stdout).toMatch(/--top-k +integer\s+.*\(1 to 1000, default 10\)/);
  });
});

describe('the command line', () => {
  it.each([['--version'], ['-v']])('answers %s', async (flag) => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
    );

    expect(await run([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    [['docter'], /^error: unknown command "docter"\. .*"doctor"/],
    [['help', 'tool'], /^error: unknown command "tool"\. .*"tools"/],
    [['help', 'call', 'add'], /^error: unknown operation "add"/],
    [['--read_onli'], /^error: flag --read-onli: .*--read-only/],
    [['tools', '--no-toolsets'], /^error: flag --no-toolsets: /],
    [['--read-only=perhaps'], /^error: flag --read-only: "perhaps" /],
    [['--tools', 'serch_memories'], /^error: .*"search_memories"/],
    [['config', '--data-dir'], /^error: flag --data-dir: .*value/],
    [['-x'], /^error: flag -x: /],
    [['serve', '--prot', '1'], /^error: flag --prot: .*did you mean --port\?/],
    [['search', 'tea', '--user', 'ada'], /^error: flag --user: .*did you mean --user-id\?/],
    [['serve', '--version'], /^error: flag --version: .*; mneme --version prints the version$/m],
    [['--verison'], /^error: flag --verison: .*; mneme --version prints the version$/m],
    [['version'], /^error: unknown command "version"; mneme --version prints/],
    [['--port', '1', 'serve'], /^error: unexpected serve; the command comes first: mneme serve /],
    [['--user-id', 'ada', 'recall', 'tea'], /the command comes first: mneme search QUERY /],
  ])('refuses %j with a hint', async (args, message) => {
    const { code, stdout, stderr } = await run(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('says that a port has no effect where nothing listens', async () => {
    const { code, stdout, stderr } = await run(['--port', '8080']);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^flag --port has no effect: .*mneme serve listens on a port/);
  });
});
