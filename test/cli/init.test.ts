import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentInstructions } from '../../src/cli/init/agents-md.ts';
import { type RunOptions, runIn, temporaryFolder } from './support.ts';

const cli = join(import.meta.dirname, '../../dist/cli.js');

const cursor = '{\n  "mcpServers": {\n    "a": { "command": "x" } // mine\n  }\n}\n';
const node = { command: process.execPath, args: [cli] };

/** A home folder with Cursor, Codex and Goose in it. */
function preparedHome() {
  const home = temporaryFolder();
  mkdirSync(join(home, '.cursor'));
  mkdirSync(join(home, '.codex'));
  mkdirSync(join(home, '.config/goose/sessions'), { recursive: true });
  writeFileSync(join(home, '.config/goose/sessions/last'), '');
  writeFileSync(join(home, '.cursor/mcp.json'), cursor);
  writeFileSync(join(home, '.codex/config.toml'), '# mine\nmodel = "x"\n');
  const run = (args: string[], options?: RunOptions) => runIn(home)(['init', ...args], options);
  return { home, run, read: (file: string) => readFileSync(join(home, file), 'utf8') };
}

function entryIn(text: string) {
  return JSON.parse(text.replace(/ \/\/.*$/gm, '')).mcpServers.mneme;
}

describe('mneme init', () => {
  it('connects what it finds, and says so', async () => {
    const { run, read } = preparedHome();

    const { code, stdout, stderr } = await run(['--yes']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}Cursor +connected/m);
    expect(stdout).toMatch(/^ {2}Codex +connected/m);
    expect(stdout).toMatch(/^ {2}Goose +connected/m);
    expect(stdout).toContain('Restart the clients');
    expect(entryIn(read('.cursor/mcp.json'))).toEqual(node);
    expect(read('.codex/config.toml')).toMatch(/^# mine\nmodel = "x"\n\n\[mcp_servers\.mneme\]/);
    expect(read('.config/goose/config.yaml')).toContain('mneme:');
  });

  it('names the smaller set of tools to those who chose none', async () => {
    const all = await preparedHome().run(['--yes']);
    const core = await preparedHome().run(['--yes', '--toolsets', 'core']);

    expect(all.stdout).toContain('mneme init --toolsets core');
    expect(core.stdout).toContain('Then type');
    expect(core.stdout).not.toContain('--toolsets core\n');
  });

  it('is done when it is done twice', async () => {
    const { run } = preparedHome();
    await run(['--yes']);

    const { code, stdout } = await run([]);

    expect(code).toBe(0);
    expect(stdout.match(/already connected/g)).toHaveLength(3);
    expect(stdout).not.toContain('Restart');
  });

  it('undoes it all', async () => {
    const { home, run, read } = preparedHome();
    await run(['--yes']);

    const { code, stdout } = await run(['--undo', '--yes']);

    expect(code).toBe(0);
    expect(stdout.match(/restored {2}/g)).toHaveLength(3);
    expect(read('.cursor/mcp.json')).toBe(cursor);
    expect(read('.codex/config.toml')).toBe('# mine\nmodel = "x"\n');
    expect(existsSync(join(home, '.config/goose/config.yaml'))).toBe(false);
    expect((await run(['--undo'])).stdout.match(/nothing to do/g)).toHaveLength(3);
  });

  it('writes nothing without --yes where nobody can be asked', async () => {
    const { run, read } = preparedHome();

    const { code, stdout, stderr } = await run(['cursor']);

    expect(code).toBe(2);
    expect(stdout).toContain('+     "mneme": {');
    expect(stderr).toContain('--yes');
    expect(read('.cursor/mcp.json')).toBe(cursor);
  });

  it('writes nothing in a trial', async () => {
    const { run, read } = preparedHome();

    const { code, stdout } = await run(['--dry-run', '--yes']);

    expect(code).toBe(0);
    expect(stdout.match(/not connected/g)).toHaveLength(3);
    expect(read('.cursor/mcp.json')).toBe(cursor);
  });

  it('carries over the options that it is given', async () => {
    const { home, run, read } = preparedHome();

    await run(['cursor', '--yes', '--user-id', 'ada', '--data-dir', 'memory', '--no-read-only'], {
      env: { MNEME_TOOLSETS: 'core', MNEME_USER_ID: 'eve' },
    });

    expect(entryIn(read('.cursor/mcp.json'))).toEqual({
      command: process.execPath,
      args: [cli, '--data-dir', join(home, 'memory'), '--user-id', 'ada', '--read-only=false'],
      env: { MNEME_TOOLSETS: 'core' },
    });
  });

  it('carries over the file that it is given', async () => {
    const { home, run, read } = preparedHome();
    writeFileSync(join(home, 'my.json'), '{ "user_id": "ada" }');

    await run(['cursor', '--yes', '--config', 'my.json']);
    const byFlag = entryIn(read('.cursor/mcp.json'));
    await run(['cursor', '--yes'], { env: { MNEME_CONFIG: 'my.json' } });
    const byVariable = entryIn(read('.cursor/mcp.json'));

    expect(byFlag.args).toEqual([cli, '--config', join(home, 'my.json')]);
    expect(byVariable).toEqual({ ...node, env: { MNEME_CONFIG: join(home, 'my.json') } });
  });

  it('writes no secret unless it is told to', async () => {
    const { run, read } = preparedHome();
    const env = { MNEME_BOOTSTRAP_KEY: 'secret-1-of-thirty-two-letters-ab' };

    await run(['cursor', '--yes'], { env });
    const refused = await run([
      'cursor',
      '--yes',
      '--bootstrap-key',
      'secret-2-of-thirty-two-letters-ab',
    ]);
    const before = read('.cursor/mcp.json');
    await run(['cursor', '--yes', '--with-secrets'], { env });

    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('flag --bootstrap-key: ');
    expect(before).not.toContain('secret-');
    expect(entryIn(read('.cursor/mcp.json')).env).toEqual(env);
  });

  it('shows no secrets that are in a file', async () => {
    const { home, run } = preparedHome();
    const mneme = { command: 'old', env: { API_KEY: 'hidden' } };
    writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { mneme } }));

    const { stdout } = await run(['cursor', '--dry-run']);

    expect(stdout).toContain('********');
    expect(stdout).not.toContain('hidden');
  });

  it('answers programs in JSON', async () => {
    const { home, run } = preparedHome();
    writeFileSync(join(home, '.codex/config.toml'), 'broken =');

    const { code, stdout } = await run(['cursor', 'codex', '--yes', '--json']);

    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toEqual({
      files: [
        {
          client: 'cursor',
          file: join(home, '.cursor/mcp.json'),
          change: 'add',
          done: true,
          problem: null,
          backup: expect.stringMatching(/mcp\.json\.mneme-backup-\d{8}T\d{6}Z$/),
        },
        {
          client: 'codex',
          file: join(home, '.codex/config.toml'),
          change: 'refused',
          done: false,
          backup: null,
          problem: expect.stringMatching(
            /^it is not valid TOML \(line 1, column \d+: .*\); correct it/,
          ),
        },
      ],
    });
  });

  it('connects a client that it does not find when that is named', async () => {
    const { run, read } = preparedHome();

    const { code } = await run(['lm-studio', '--yes']);

    expect(code).toBe(0);
    expect(entryIn(read('.lmstudio/mcp.json'))).toEqual(node);
  });

  it('writes into a project what works on other machines too', async () => {
    const { home, run } = preparedHome();
    const cwd = join(home, 'project');
    mkdirSync(cwd);

    const { code } = await run(
      ['cursor', 'vscode', 'vscode-insiders', '--scope=project', '--yes'],
      {
        cwd,
      },
    );

    const npx = { command: 'npx', args: ['-y', 'mneme'] };
    expect(code).toBe(0);
    expect(entryIn(readFileSync(join(cwd, '.cursor/mcp.json'), 'utf8'))).toEqual(npx);
    expect(JSON.parse(readFileSync(join(cwd, '.vscode/mcp.json'), 'utf8'))).toEqual({
      servers: { mneme: { type: 'stdio', ...npx } },
    });
    expect(readdirSync(join(cwd, '.vscode'))).toEqual(['mcp.json']);
  });

  it('adds a part to AGENTS.md, once, and takes it out again', async () => {
    const { home, run, read } = preparedHome();
    writeFileSync(join(home, 'AGENTS.md'), '# Mine\n');

    await run(['--agents-md', '--yes']);
    const twice = await run(['--agents-md', '--yes']);
    const text = read('AGENTS.md');
    await run(['--agents-md', '--undo', '--yes']);

    expect(text).toBe(`# Mine\n\n<!-- mneme:start -->\n${agentInstructions}\n<!-- mneme:end -->\n`);
    expect(twice.stdout).toContain('already connected');
    expect(read('AGENTS.md')).toBe('# Mine\n');
    expect(read('.cursor/mcp.json')).toBe(cursor);
  });

  it('takes the part out of AGENTS.md too when everything is undone', async () => {
    const { run, read, home } = preparedHome();
    writeFileSync(join(home, 'AGENTS.md'), '# Mine\n');
    await run(['--agents-md', '--yes']);

    await run(['cursor', '--undo', '--yes']);
    expect(read('AGENTS.md')).toContain(agentInstructions);
    const undone = await run(['--undo', '--yes']);
    const again = await run(['--undo', '--yes']);

    expect(undone.stdout).toMatch(/AGENTS\.md +restored/);
    expect(read('AGENTS.md')).toBe('# Mine\n');
    expect(again.stdout).not.toContain('AGENTS.md');
  });

  it.each([
    [['curser'], 'unknown client "curser". Did you mean "cursor"?'],
    [['--scope', 'all'], 'flag --scope: '],
    [['--lease-ms', 'x'], 'flag --lease-ms: "x" is not'],
    [['cursor', '--porject-id', 'x'], 'did you mean --project-id?'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await preparedHome().run([...args, '--yes']);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('says when there is nothing to connect', async () => {
    const empty = await runIn(temporaryFolder())(['init', '--yes'], { env: { PATH: '' } });
    const project = await preparedHome().run(['goose', '--scope', 'project']);

    expect(empty.code).toBe(3);
    expect(empty.stderr).toContain('client');
    expect(project.code).toBe(3);
    expect(project.stderr).toContain('--scope project');
  });

  it.skipIf(process.getuid?.() !== 0)('says where it may not write', () => {
    const { home } = preparedHome();
    for (const folder of ['', '.cursor', '.codex', '.config']) chmodSync(join(home, folder), 0o755);

    const { status, stdout } = spawnSync(process.execPath, [cli, 'init', 'cursor', '--yes'], {
      uid: 65_534,
      gid: 65_534,
      cwd: '/',
      encoding: 'utf8',
      env: { HOME: home },
    });

    expect(status).toBe(4);
    expect(stdout).toMatch(/left unchanged +.*you\s+may\s+not\s+write\s+there/s);
    expect(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).toBe(cursor);
  });
});

describe.skipIf(!hasTerminals())('mneme init at a terminal', () => {
  const answering = (answers: string) => {
    const { home, read } = preparedHome();
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', CODEX_HOME: '' };
    const command = `"${process.execPath}" "${cli}" init cursor codex goose`;
    const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      env,
      encoding: 'utf8',
      cwd: home,
      input: answers,
      timeout: 20_000,
    });
    return { home, status, stdout, read };
  };

  it('asks for each file', () => {
    const { status, stdout, read } = answering('y\nn\nperhaps\nyes\n');

    expect(status).toBe(0);
    expect(stdout.match(/Write this\?/g)?.length).toBeGreaterThanOrEqual(4);
    expect(read('.cursor/mcp.json')).toContain('"mneme"');
    expect(read('.codex/config.toml')).toBe('# mine\nmodel = "x"\n');
    expect(read('.config/goose/config.yaml')).toContain('mneme:');
  });

  it('asks no more after "all"', () => {
    const { read, home } = answering('a\n');

    expect(read('.cursor/mcp.json')).toContain('"mneme"');
    expect(existsSync(join(home, '.config/goose/config.yaml'))).toBe(true);
  });

  it.each([['q\n'], ['\u0004']])('writes nothing after %j', (answer) => {
    const { status, home, read } = answering(answer);

    expect(status).toBe(0);
    expect(read('.cursor/mcp.json')).toBe(cursor);
    expect(existsSync(join(home, '.config/goose/config.yaml'))).toBe(false);
  });
});

/** `script` of util-linux gives a program a terminal. */
function hasTerminals(): boolean {
  return spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
}
