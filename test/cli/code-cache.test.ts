import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { type RunOptions, runIn, temporaryFolder } from './support.ts';

/** As long as the version, so that stored code still fits a program that says this. */
const other = version.replace(/\d/g, '7');
const windows = process.platform === 'win32';
const asRoot = process.getuid?.() === 0;

/** Where each system has a user's caches, below the home of the tests. */
const cacheFolders: Record<string, string> = {
  darwin: 'Library/Caches/mneme/code',
  win32: 'local/mneme/Cache/code',
};
const cacheFolder = cacheFolders[process.platform] ?? '.cache/mneme/code';

describe('the code cache', () => {
  it('is made by the first run', async () => {
    const { home } = makeProgram();

    await showVersion(home);

    expect(filesIn(home)).toEqual([expect.stringMatching(/^start-\w+\.cjs\.[0-9a-f]+$/)]);
  });

  it.skipIf(windows)('is for its user alone', async () => {
    const { home } = makeProgram();

    await showVersion(home);

    const [file = ''] = filesIn(home);
    expect(modeOf(join(home, cacheFolder))).toBe(0o700);
    expect(modeOf(join(home, cacheFolder, file))).toBe(0o600);
  });

  it('is what the next run runs', async () => {
    const { home, program } = makeProgram();
    await showVersion(home, { program });
    const [file] = cached(home);

    say(other, program);

    expect(await showVersion(home, { program })).toBe(version);
    expect(cached(home)).toEqual([file]);
  });

  it.each([
    ['damaged in its middle', (code: Buffer) => flip(code, code.length >> 1)],
    ['damaged at its end', (code: Buffer) => flip(code, code.length - 1)],
    ['zeros, as a power cut may leave', (code: Buffer) => code.fill(0, 4096)],
    ['cut short', (code: Buffer) => code.subarray(0, 1000)],
    ['empty', () => Buffer.alloc(0)],
    ['of another engine', (code: Buffer) => signed(flip(code, headBytes + 4))],
  ])('that is %s is made anew', async (_, spoil) => {
    const { home, program } = makeProgram();
    await showVersion(home, { program });
    const [file = ''] = filesIn(home);
    const path = join(home, cacheFolder, file);
    writeFileSync(path, spoil(readFileSync(path)));

    say(other, program);

    expect(await showVersion(home, { program })).toBe(other);
    say(version, program);
    expect(await showVersion(home, { program })).toBe(other);
  });

  it.skipIf(windows)('that others may write to is not run', async () => {
    const { home, program } = makeProgram();
    await showVersion(home, { program });
    const [file = ''] = filesIn(home);

    chmodSync(join(home, cacheFolder, file), 0o622);
    say(other, program);

    expect(await showVersion(home, { program })).toBe(other);
  });

  it.runIf(asRoot)('of another user is not run', async () => {
    const { home, program } = makeProgram();
    await showVersion(home, { program });
    const [file = ''] = filesIn(home);

    chownSync(join(home, cacheFolder, file), 12_345, 12_345);
    say(other, program);

    expect(await showVersion(home, { program })).toBe(other);
  });

  it('can be switched off', async () => {
    const { home } = makeProgram();

    await showVersion(home, { env: { NODE_DISABLE_COMPILE_CACHE: '1' } });

    expect(readdirSync(home)).toEqual([]);
  });

  it('is done without where its folder cannot be made', async () => {
    const { home } = makeProgram();
    const above = dirname(join(home, cacheFolder));
    mkdirSync(dirname(above), { recursive: true });
    writeFileSync(above, 'in the way');

    const shown = [await showVersion(home), await showVersion(home)];

    expect(shown).toEqual([version, version]);
    expect(readFileSync(above, 'utf8')).toBe('in the way');
  });

  it('keeps to a number of files, the newest ones', async () => {
    const { home } = makeProgram();
    const folder = join(home, cacheFolder);
    mkdirSync(folder, { recursive: true });
    for (let age = 1; age <= 40; age += 1) {
      const path = join(folder, `start-${age}.cjs.0`);
      writeFileSync(path, 'of an earlier version');
      utimesSync(path, Date.now() / 1000 - age, Date.now() / 1000 - age);
    }

    await showVersion(home);

    const left = filesIn(home);
    expect(left).toHaveLength(24);
    expect(left.filter((name) => name.endsWith('.0'))).toHaveLength(23);
    expect(left).toContain('start-23.cjs.0');
  });

  it('grows by what later runs are the first to call', async () => {
    const { home } = makeProgram();
    await showVersion(home);
    const [before] = cached(home);

    await shakeHands(home);
    const [after] = cached(home);
    await shakeHands(home);

    expect(after?.name).toBe(before?.name);
    expect(after?.size).toBeGreaterThan(1.2 * (before?.size ?? 0));
    expect(cached(home)[0]).toEqual(after);
  });

  it('is made by several processes at once, and whole', async () => {
    const { home, program } = makeProgram();

    await Promise.all([1, 2, 3, 4].map(() => showVersion(home, { program })));

    say(other, program);
    expect(filesIn(home)).toHaveLength(1);
    expect(await showVersion(home, { program })).toBe(version);
  });
});

describe('the command', () => {
  it('runs through a link and from any folder', async () => {
    const { home, program } = makeProgram();
    const link = join(home, 'mneme');
    symlinkSync(program, link, 'file');

    const shown = await showVersion(home, { program: link, cwd: dirname(home) });

    expect(shown).toBe(version);
  });

  it('answers the handshake from the first file of its program alone', async () => {
    const { home, program } = makeProgram();
    const folder = join(dirname(program), 'program');
    for (const file of readdirSync(folder)) {
      if (!file.startsWith('start-')) rmSync(join(folder, file));
    }

    const { code, stdout } = await shakeHands(home, { program });

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { version } } });
  });
});

const parent = temporaryFolder();
const copies: string[] = [];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

/** An empty home, and a copy of the build where it finds the packages that the build leaves out. */
function makeProgram(): { home: string; program: string } {
  const home = mkdtempSync(join(parent, 'home-'));
  mkdirSync('.build', { recursive: true });
  const copy = mkdtempSync(resolve('.build', 'code-cache-'));
  copies.push(copy);
  cpSync('dist', copy, { recursive: true });
  return { home, program: join(copy, 'cli.js') };
}

/** Has the program's source name another version; code that was compiled before keeps its own. */
function say(text: string, program: string): void {
  const folder = join(dirname(program), 'program');
  for (const name of readdirSync(folder).filter((file) => file.startsWith('start-'))) {
    const source = readFileSync(join(folder, name), 'latin1');
    const changed = source.replace(/\bversion="[^"]+"/, `version="${text}"`);
    writeFileSync(join(folder, name), changed, 'latin1');
  }
}

async function showVersion(home: string, options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runIn(home)(['--version'], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

function shakeHands(home: string, options: RunOptions = {}) {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const args = ['--data-dir', join(home, 'data')];
  return runIn(home)(args, { ...options, input: `${JSON.stringify(message)}\n` });
}

function filesIn(home: string): string[] {
  return readdirSync(join(home, cacheFolder)).sort();
}

function cached(home: string) {
  return filesIn(home).map((name) => {
    const { size, mtimeMs } = statSync(join(home, cacheFolder, name));
    return { name, size, mtimeMs };
  });
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function flip(code: Buffer, at: number): Buffer {
  code.writeUInt8(code.readUInt8(at) ^ 0x41, at);
  return code;
}

const headBytes = 8;

function signed(code: Buffer): Buffer {
  code.writeUInt32LE(crc32(code.subarray(headBytes)));
  return code;
}
