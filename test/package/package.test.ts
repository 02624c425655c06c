import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../scripts/program-files.mjs';

/**
 * What a process reads before its first answer: the command, and its program's first file. The
 * examples of the common options are in it, half a kilobyte.
 */
const startupBytesMax = 695_000;
/** What it reads in addition until it has carried out a call. */
const callBytesMax = 1_173_000;
/**
 * What `npx` unpacks: the engine is in it twice, for the command and for programs that embed it; the
 * embedding tables are more than half of it, the documents are a fifth of a megabyte.
 */
const unpackedBytesMax = 21_035_000;

/** What a web page loads: the contract with zod, and what speaks HTTP. */
const clientBytesMax = 62_500;

/** All that ships, and nothing else. */
const shipped = [
  /^docs\/((integrations\/)?[\w-]+\.md|images\/[\w-]+\.(svg|png))$/,
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^examples\/([\w-]+\.mjs|n8n-workflow\.json|python\/\w+\.py)$/,
  /^dist\/(cli\.js|program\/[\w-]+\.cjs)$/,
  /^dist\/(index|contract|client|model-process|chunks\/[\w-]+)\.mjs$/,
  /^dist\/(types\/)?package\.json$/,
  /^dist\/embedding\/((english|languages)\.bin|LICENSES\.txt)$/,
  /^dist\/extraction\/(forgetting|sentences)\.bin$/,
  /^dist\/safety\/orders\.bin$/,
  /^dist\/docs\/docs\.(js|css)$/,
  /^dist\/dashboard\/(index\.html|THIRD_PARTY_LICENSES\.txt|assets\/[\w.-]+\.(js|css))$/,
  /^dist\/types\/[\w/-]+\.d\.ts$/,
  /^dist\/(THIRD_PARTY_LICENSES\.txt|config\.schema\.json|sbom\.cdx\.json)$/,
];

/** In parts, so that this file does not name what no file may name. */
const machinePath = new RegExp(`(^|[\\s"'\`=:(])/(${['work', 'root', 'home'].join('|')})/`, 'm');
const registryHost = new RegExp(['registry', 'npmjs', 'org'].join('\\.'));

type Pack = { files: { path: string; mode: number }[]; unpackedSize: number };

describe('the package', () => {
  let pack: Pack;
  let paths: string[];

  beforeAll(() => {
    pack = packed();
    paths = pack.files.map((file) => file.path);
  });

  it('contains what should ship and nothing else', () => {
    const strays = paths.filter((path) => !shipped.some((pattern) => pattern.test(path)));

    expect(strays).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'CHANGELOG.md',
        'package.json',
        'dist/cli.js',
        'dist/index.mjs',
        'dist/contract.mjs',
        'dist/client.mjs',
        'dist/model-process.mjs',
        'dist/types/index.d.ts',
        'dist/types/client.d.ts',
        'dist/THIRD_PARTY_LICENSES.txt',
        'dist/sbom.cdx.json',
        ...['english.bin', 'languages.bin', 'LICENSES.txt'].map((file) => `dist/embedding/${file}`),
        'dist/extraction/forgetting.bin',
        'dist/extraction/sentences.bin',
        'dist/safety/orders.bin',
      ]),
    );
  });

  it('has a command that can be executed', () => {
    const cli = pack.files.find((file) => file.path === 'dist/cli.js');

    expect(readFileSync('dist/cli.js', 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(cli?.mode).toBe(0o755);
  });

  it('names no machine path, registry host or source map', () => {
    const sourceMap = /sourceMappingURL=/;

    const found = naming(paths, [machinePath, registryHost, sourceMap]);

    expect(found).toEqual([]);
  });

  it(`unpacks to at most ${unpackedBytesMax} bytes`, () => {
    const own = programFiles('dist');
    const strays = paths.filter((path) => path.includes('/program/') && !own.has(path));
    const leftover = bytesOf(strays);

    expect(pack.unpackedSize - leftover).toBeLessThanOrEqual(unpackedBytesMax);
  });

  it(`loads at most ${startupBytesMax} bytes at its start`, () => {
    const bytes = bytesOf(['dist/cli.js', ...partOf('start')]);

    expect(partOf('start')).toHaveLength(1);
    expect(bytes).toBeLessThanOrEqual(startupBytesMax);
  });

  it(`loads at most ${callBytesMax} bytes more for its calls`, () => {
    expect(bytesOf([...partOf('tools'), ...partOf('engine')])).toBeLessThanOrEqual(callBytesMax);
  });

  it('has a program of ASCII, because each byte of it is read as a letter', () => {
    const others = [...programFiles('dist')].filter((path) => {
      return readFileSync(path).some((byte) => byte > 0x7f);
    });

    expect(others).toEqual([]);
  });

  it('loads the HTTP server for nothing but mneme serve', () => {
    const isServer = (path: string) => readFileSync(path, 'utf8').includes('X-RateLimit-Limit');

    const files = [...programFiles('dist')].filter(isServer);

    expect(files.map((path) => basename(path))).toEqual([expect.stringMatching(/^serve-/)]);
  });

  it('loads what checks tokens for a server that takes them, and for doctor, alone', () => {
    const isChecking = (path: string) => readFileSync(path, 'utf8').includes('ERR_JWT_EXPIRED');

    const files = [...programFiles('dist')].filter(isChecking);

    // A file that two others share has no name of its own.
    expect(files.map((path) => basename(path))).toEqual([expect.stringMatching(/^chunk-/)]);
  });

  it(`has a client of at most ${clientBytesMax} bytes, minified and compressed`, async () => {
    const { code } = await transform(readFileSync('dist/client.mjs'), { minify: true });

    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(clientBytesMax);
  });

  it('has a client that needs nothing of Node.js', () => {
    const source = readFileSync('dist/client.mjs', 'utf8');

    expect([
      ...source.matchAll(/(?<!")\bimport\b[^;]*|\brequire\(|\bprocess\.|\bBuffer\b/g),
    ]).toEqual([]);
  });

  it('declares its types with packages that its users have', () => {
    const about = JSON.parse(readFileSync('package.json', 'utf8'));
    const known = Object.keys({ ...about.dependencies, ...about.peerDependencies });

    const foreign = paths
      .filter((path) => path.endsWith('.d.ts'))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/from '([^'.][^']*)'/g)])
      .map((match) => match[1] ?? '')
      .filter((name) => !name.startsWith('node:') && !known.includes(name));

    expect(foreign).toEqual([]);
  });
});

it.runIf(existsSync('.git'))('no committed file names a machine path or a registry host', () => {
  const committed = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');

  const found = naming(committed.filter(existsSync), [machinePath, registryHost]);

  expect(found).toEqual([]);
});

it('the lockfile records no download addresses', () => {
  expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved"');
});

function packed(): Pack {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [pack] = JSON.parse(
    execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return pack;
}

/** Files of the program that hold what runs together: see scripts/program.mjs. */
function partOf(title: string): string[] {
  const name = new RegExp(`^${title}-[0-9A-F]+\\.cjs$`);
  return [...programFiles('dist')].filter((path) => name.test(basename(path)));
}

function bytesOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + readFileSync(path).length, 0);
}

function naming(paths: string[], patterns: RegExp[]): string[] {
  return paths.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return patterns.flatMap((pattern) => {
      const match = pattern.exec(text);
      if (!match) return [];
      return [`${path}:${text.slice(0, match.index).split('\n').length} matches ${pattern}`];
    });
  });
}
