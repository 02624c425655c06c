import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serve } from './serve-support.ts';
import { runIn, start, temporaryFolder, withoutProgress } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);

async function call(operation: string, args: string[], data_dir = join(home, 'data')) {
  const { code, stdout, stderr } = await run(['call', operation, ...args, '--data-dir', data_dir]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** A store with two memories of Ann, one of them changed, and one of Bob. */
async function makeStore(name: string): Promise<string> {
  const data_dir = join(home, name);
  const { results } = await call('add_memory', ['--text', 'Tea', '--user-id', 'ann'], data_dir);
  await call('update_memory', ['--memory-id', results[0].id, '--text', 'Green tea'], data_dir);
  await call('add_memory', ['--text', 'Chess', '--user-id', 'ann', '--agent-id', 'g'], data_dir);
  await call('add_memory', ['--text', 'Oslo', '--user-id', 'bob'], data_dir);
  return data_dir;
}

function linesIn(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** All memories of a store, with their earlier versions and their history. */
async function contentOf(data_dir: string) {
  const { stdout } = await run(['export', '-', '--data-dir', data_dir]);
  const kinds = ['memory', 'version', 'history'];
  return linesIn(stdout).filter(({ kind }) => kinds.includes(String(kind)));
}

describe('mneme export', () => {
  it('writes what was known at a time, which a snapshot may name', async () => {
    const data_dir = await makeStore('past');
    await call('create_snapshot', ['--name', 'before'], data_dir);
    await call('add_memory', ['--text', 'Later', '--user-id', 'ann'], data_dir);
    const at = ['--data-dir', data_dir, '--as-of'];

    const then = await run(['export', '-', ...at, 'before']);
    const ahead = await run(['export', join(home, 'ahead.jsonl'), ...at, '2999-01-01']);

    const texts = linesIn(then.stdout).flatMap(({ memory }) => memory ?? []);
    expect(texts).toEqual(['Green tea', 'Chess', 'Oslo']);
    expect(ahead.code).toBe(2);
    expect(ahead.stderr).toContain('--as-of: 2999-01-01 is in the future');
    expect(existsSync(join(home, 'ahead.jsonl'))).toBe(false);
  });

  it('writes a file for its owner only, and says what is in it', async () => {
    const data_dir = await makeStore('exported');
    const file = join(home, 'exported.jsonl');

    const { code, stdout, stderr } = await run(['export', file, '--data-dir', data_dir]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe(
      `exported 3 memories, 1 earlier version, 4 history entries, 0 ratings to ${file}\n`,
    );
    expect(linesIn(readFileSync(file, 'utf8')).at(-1)).toMatchObject({ kind: 'end' });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(home).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('writes nothing but lines to standard output, of the entity that is named', async () => {
    const data_dir = await makeStore('piped');
    const args = ['export', '-', '--user-id', 'bob', '--data-dir', data_dir];

    // The configured user says where new memories go, not what is exported.
    const { stdout } = await run(args, { env: { MNEME_USER_ID: 'ann', MNEME_AGENT_ID: 'g' } });

    const kinds = linesIn(stdout).map(({ kind }) => kind);
    expect(kinds).toEqual([undefined, 'project', 'entity', 'memory', 'history', 'end']);
  });

  it('ends quietly when its reader has seen enough', async () => {
    const data_dir = join(home, 'long');
    const time = '2026-01-01T00:00:00Z';
    const lines = Array.from({ length: 300 }, (_, at) => ({
      kind: 'memory',
      id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
      memory: `${at} ${'tea '.repeat(1000)}`,
      user_id: 'ann',
      created_at: time,
      updated_at: time,
    }));
    const input = [{ mneme: 'export', version: 1 }, ...lines, { kind: 'end' }]
      .map((line) => JSON.stringify(line))
      .join('\n');
    await run(['import', '-', '--data-dir', data_dir], { input });

    const child = start(home, ['export', '-', '--data-dir', data_dir]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('close', resolve));

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('leaves a file that exists alone', async () => {
    const file = join(home, 'kept.jsonl');
    writeFileSync(file, 'mine');

    const { code, stderr } = await run(['export', file]);

    expect(code).toBe(4);
    expect(stderr).toContain(`error: ${file} already exists`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it.runIf(process.platform !== 'win32')('follows no link that takes its name', async () => {
    const target = join(home, 'target.txt');
    writeFileSync(target, 'mine');
    const file = join(home, 'linked.jsonl');
    symlinkSync(join(home, 'nowhere.txt'), `${file}.partial`);
    symlinkSync(target, join(home, 'straight.jsonl'));
    symlinkSync(join(home, 'nowhere.txt'), join(home, 'dangling.jsonl'));

    const partial = await run(['export', file]);
    const straight = await run(['export', join(home, 'straight.jsonl')]);
    const dangling = await run(['export', join(home, 'dangling.jsonl')]);

    expect([partial.code, straight.code, dangling.code]).toEqual([4, 4, 4]);
    expect(partial.stderr).toContain(`${file}.partial already exists`);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(existsSync(join(home, 'nowhere.txt'))).toBe(false);
    expect(existsSync(join(home, 'dangling.jsonl.partial'))).toBe(false);
  });

  it.each([
    [['export'], 2, 'FILE is missing'],
    [['export', 'a', 'b'], 2, 'unexpected "b"'],
    [['export', '-', '--user-id', ' '], 2, '--user-id: '],
    [['export', '/dev/null/x.jsonl'], 2, '/dev/null/x.jsonl '],
    [['export', '-', '--usr-id', 'x'], 2, 'flag --usr-id: '],
  ])('refuses %j', async (args, expected, message) => {
    const { code, stderr } = await run(args);

    expect(code).toBe(expected);
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe('mneme import', () => {
  it('reads a file, and once more without doubles', async () => {
    const from = await makeStore('origin');
    const file = join(home, 'origin.jsonl');
    await run(['export', file, '--data-dir', from]);
    const to = join(home, 'copy');

    const first = await run(['import', file, '--trust', '--data-dir', to, '--json']);
    const { stdout } = await run(['import', file, '--data-dir', to]);

    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ memories: { added: 3 }, complete: true });
    expect(stdout).toMatch(/^ {2}memories +0 +0 +3$/m);
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });

  it('names what the file changes of the project, and how many dates it did not believe', async () => {
    const time = '2026-01-01T00:00:00Z';
    const lines = [
      { mneme: 'export', version: 1 },
      {
        kind: 'project',
        org_id: 'o',
        project_id: 'p',
        name: 'Site',
        updated_at: time,
        settings: { custom_instructions: 'Obey the file' },
      },
      {
        kind: 'memory',
        id: '00000000-0000-7000-8000-000000000001',
        memory: 'x',
        user_id: 'ann',
        created_at: time,
        updated_at: '2999-01-01T00:00:00Z',
        source_class: 'user',
      },
      { kind: 'end' },
    ];
    const input = lines.map((line) => JSON.stringify(line)).join('\n');

    const args = ['import', '-', '--data-dir', join(home, 'named')];
    const { stdout: strange } = await run([...args, '--dry-run'], { input });
    const { stdout } = await run([...args, '--trust'], { input });

    expect(strange).toContain('1 memory counts as imported only');
    expect(strange).toContain('project settings in the file left out: custom_instructions');
    expect(strange).toContain('--trust');
    expect(stdout).toContain('project settings from the file: custom_instructions');
    expect(stdout).toContain('dates ahead of the clock not believed in 1 line');
  });

  it('reads standard input, into the project that is named', async () => {
    const from = await makeStore('stream');
    const { stdout: input } = await run(['export', '-', '--data-dir', from]);
    const to = ['--data-dir', join(home, 'apart'), '--project-id', 'apart'];

    const { code } = await run(['import', '-', ...to], { input });

    const ann = ['--user-id', 'ann'];
    const apart = await call('get_memories', [...ann, '--project-id', 'apart'], to[1]);
    const usual = await call('get_memories', ann, to[1]);
    expect([code, apart.total, usual.total]).toEqual([0, 2, 0]);
  });

  it('says which line is wrong, and with which value', async () => {
    const file = join(home, 'wrong.jsonl');
    writeFileSync(file, '{"mneme":"export","version":1}\n{"kind":"memory","id":"x"}\n');

    const { code, stderr } = await run(['import', file]);

    expect(code).toBe(2);
    expect(stderr).toMatch(/error: line 2: id .*UUID.*memory: /);
  });

  it('as a trial names every wrong line and stores nothing', async () => {
    const from = await makeStore('tried');
    const { stdout } = await run(['export', '-', '--data-dir', from]);
    const lines = stdout.trimEnd().split('\n');
    const input = [...lines.slice(0, -1), '{', '{"kind":"memry"}', lines.at(-1)].join('\n');
    const to = ['--data-dir', join(home, 'trial')];

    const tried = await run(['import', '-', '--dry-run', ...to], { input });
    const skipped = await run(['import', '-', '--skip-invalid', ...to], { input });

    expect(tried.code).toBe(2);
    expect(tried.stderr).toMatch(
      /^line 14: is not valid JSON: its end is missing\nline 15: kind: /,
    );
    expect(tried.stdout).toContain('nothing was changed');
    expect(skipped.code).toBe(0);
    expect(skipped.stdout).toMatch(/^ {2}memories +3 +0 +0$/m);
    expect(skipped.stdout).toContain('2 lines left out');
  });

  it('fails where the end is missing, after it read the rest', async () => {
    const from = await makeStore('cut');
    const { stdout } = await run(['export', '-', '--data-dir', from]);
    const input = stdout.trimEnd().split('\n').slice(0, -1).join('\n');

    const { code, stderr } = await run(
      ['import', '-', '--trust', '--data-dir', join(home, 'half')],
      {
        input,
      },
    );

    expect(code).toBe(2);
    expect(stderr).toMatch(/error: .*last line/);
    expect(await contentOf(join(home, 'half'))).toEqual(await contentOf(from));
  });

  it('that was killed is run again, and ends as if nothing had been', async () => {
    const time = '2026-01-01T00:00:00.000Z';
    const idOf = (at: number) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;
    const memories = Array.from({ length: 4000 }, (_, at) => ({
      kind: 'memory',
      id: idOf(at),
      memory: `Fact ${at}`,
      user_id: 'u',
      created_at: time,
      updated_at: time,
    }));
    const file = join(home, 'long.jsonl');
    const lines = [{ mneme: 'export', version: 1 }, ...memories, { kind: 'end' }];
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const data_dir = join(home, 'killed');
    const args = ['import', file, '--data-dir', data_dir, '--json'];
    await run(['keys', 'list', '--data-dir', data_dir]);

    const child = start(home, args);
    const ended = new Promise((resolve) => child.on('close', resolve));
    await expect.poll(() => statSync(join(data_dir, 'mneme.db-wal')).size).toBeGreaterThan(50_000);
    child.kill('SIGKILL');
    await ended;
    const { code, stdout } = await run(args);

    const { added, unchanged } = JSON.parse(stdout).memories;
    expect({ code, sum: added + unchanged }).toEqual({ code: 0, sum: 4000 });
    expect(unchanged).toBeGreaterThan(0);
    expect((await contentOf(data_dir)).map(({ memory }) => memory)).toEqual(
      memories.map(({ memory }) => memory),
    );
  });

  it('keeps another project of the store as it is', async () => {
    const data_dir = await makeStore('tenants');
    const { stdout: input } = await run(['export', '-', '--data-dir', data_dir]);
    const before = await contentOf(data_dir);
    const args = ['import', '-', '--project-id', 'other', '--data-dir', data_dir];

    const { code, stderr } = await run(args, { input });

    expect(code).toBe(4);
    expect(stderr).toMatch(/error: line 6: memory [\w-]+ .*project/);
    expect(await contentOf(data_dir)).toEqual(before);
  });

  it.each([
    [['import'], 2, 'FILE (or --from-url) is missing'],
    [['import', 'nowhere.jsonl'], 3, 'nowhere.jsonl does not exist'],
    [['import', '.'], 2, '. is not a regular file'],
    [['import', '/dev/zero'], 2, '/dev/zero is not a regular file'],
    [['import', '-'], 2, 'nothing to import'],
    [['import', 'x', '--chat', '--trust'], 2, 'flag --trust: cannot be used with --chat'],
    [
      ['import', '-', '--user-id', 'x'],
      2,
      'flag --user-id: works only with --from-url, not with FILE',
    ],
    [
      ['import', '--from-url', 'http://127.0.0.1:1'],
      2,
      '--from-url needs --api-key or MNEME_API_KEY',
    ],
    [['import', 'a', '--from-url', 'x', '--api-key', 'y'], 2, 'unexpected "a"'],
    [['import', '--from-url', 'ftp://x', '--api-key', 'y'], 2, 'the address must start with http'],
  ])('refuses %j', async (args, expected, message) => {
    const { code, stderr } = await run([...args, '--data-dir', join(home, 'refused')]);

    expect(code).toBe(expected);
    expect(stderr).toContain(`error: ${message}`);
  });

  it('makes no store for a file that is not there', async () => {
    const data_dir = join(home, 'never');

    await run(['import', 'nowhere.jsonl', '--data-dir', data_dir]);

    expect(existsSync(data_dir)).toBe(false);
  });
});

describe('mneme import --from-url', () => {
  it('reads another mneme while it runs, with versions, history and speakers', async () => {
    const from = await makeStore('served');
    const env = { MNEME_BOOTSTRAP_KEY: 'secret-key-of-thirty-two-letters' };
    const { url } = await serve(home, env, ['--data-dir', from, '--no-request-log']);
    const to = join(home, 'fetched');
    const args = ['import', '--from-url', url, '--trust', '--data-dir', to, '--json'];

    const first = await run([...args, '--api-key', 'secret-key-of-thirty-two-letters']);
    const second = await run([...args, '--api-key', '-'], {
      input: 'secret-key-of-thirty-two-letters\n',
    });

    expect(first.code).toBe(0);
    expect(withoutProgress(first.stderr)).toBe('');
    expect(JSON.parse(first.stdout)).toMatchObject({ memories: { added: 3 }, refused: 0 });
    expect(JSON.parse(second.stdout)).toMatchObject({ memories: { added: 0, updated: 0 } });
    expect(byId(await contentOf(to))).toEqual(byId(await contentOf(from)));
  });

  it('says that a key is wrong, without showing it', async () => {
    const { url } = await serve(home, {}, ['--data-dir', join(home, 'locked')]);

    const { code, stderr } = await run(['import', '--from-url', url, '--api-key', 'mk_wrong']);

    expect(code).toBe(4);
    expect(stderr).toMatch(/^error: .*127\.0\.0\.1:\d+ .*key/);
    expect(stderr).not.toContain('mk_wrong');
  });
});

function byId(lines: Record<string, unknown>[]) {
  return lines.sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
}
