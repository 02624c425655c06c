import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../cli/serve-support.ts';

const node = { module: 'node16', types: ['node'], lib: ['es2022'] };

/** A project of somebody else's, outside of this repository, that has installed the package. */
let project: string;

const installTimeoutMs = 180_000;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'mneme-consumer-'));
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', project];
  execFileSync('npm', pack, { stdio: 'ignore' });
  const [tarball = ''] = readdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
  const install = ['install', '--silent', '--no-audit', '--no-fund', `./${tarball}`];
  execFileSync('npm', install, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  cpSync('examples', project, { recursive: true });
}, installTimeoutMs);

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('examples of the installed package', () => {
  it('keep a memory in the process', () => {
    const lines = run('embedded.mjs', join(project, 'data'));

    expect(lines).toEqual([
      'stored: ADD I am allergic to hazelnuts.',
      'event: SUCCEEDED User moved to Porto with their cat Biscuit.',
      'found: 0.66 I am allergic to hazelnuts.',
      'listed: User moved to Porto with their cat Biscuit.',
      'listed: I am allergic to hazelnuts.',
    ]);
  });

  it('reach a server', async () => {
    const key = 'an-example-of-thirty-two-letters';
    const { url } = await serve(project, { MNEME_BOOTSTRAP_KEY: key });

    const lines = run('client.mjs', url, key);

    expect(lines).toEqual([
      "event: SUCCEEDED User's sister Ilona plays the cello.",
      "found: 0.96 User's sister Ilona plays the cello.",
      expect.stringMatching(/^listed: [\da-f-]{36} User's sister Ilona plays the cello\.$/),
      "refused: invalid { memory_id: [ 'memory_id should be a valid UUID' ] }",
    ]);
  });
});

it('errors of one entry are known to the other', () => {
  const program = `
    import * as server from 'mneme';
    import * as browser from 'mneme/client';
    const failed = await browser
      .createClient({ base_url: 'http://127.0.0.1:9', api_key: 'key' })
      .getMemory({ memory_id: 'x' })
      .catch((error) => error);
    console.log(failed instanceof browser.ApiError, failed instanceof server.ApiError);
    console.log(new Error('x') instanceof server.ApiError, null instanceof server.ApiError);
    console.log(Object.assign(new Error('x'), { code: 'ENOENT' }) instanceof server.ApiError);`;
  writeFileSync(join(project, 'errors.mjs'), program);

  expect(run('errors.mjs')).toEqual(['true true', 'false false', 'false']);
});

describe('types of the installed package', () => {
  const client = `
    import { ApiError, createClient, type Client, type SearchMemoriesInput } from 'mneme/client';

    const client: Client = createClient({ base_url: 'http://localhost', api_key: 'key' });
    const input: SearchMemoriesInput = { query: 'tea', filters: { run_id: 'monday' }, top_k: 3 };
    const { results } = await client.searchMemories(input, { signal: AbortSignal.timeout(1) });
    const scores: number[] = results.map((hit) => hit.score);
    for await (const memory of client.getMemories()) console.log(memory.id.length, scores);
    const error: unknown = null;
    if (error instanceof ApiError) console.log(error.code === 'not_found', error.fields);

    // @ts-expect-error: a search needs a query.
    await client.searchMemories({});
    // @ts-expect-error: there is no such field.
    await client.addMemory({ txt: 'tea' });
    // @ts-expect-error: what is deleted has to be said.
    await client.deleteAllMemories();
    // @ts-expect-error: a score is a number.
    const wrong: string = results[0]?.score ?? 0;
    console.log(wrong);
  `;
  const embedded = `
    import { createMemory, type EmbeddedMemory, type MemoryOptions } from 'mneme';

    const options: MemoryOptions = { data_dir: 'x', log: (level, message) => console.log(level, message) };
    const memory: EmbeddedMemory = createMemory(options);
    const { status } = await memory.waitForEvent((await memory.addMemory({ text: 'tea' })).event_id);
    console.log(status === 'SUCCEEDED');
    await memory.close();
    // @ts-expect-error: there is no such option.
    createMemory({ dataDir: 'x' });
  `;
  const contract = `
    import { contract, type Input, type Output } from 'mneme/contract';

    const input: Input<'get_memory'> = { memory_id: 'x' };
    const memory: Output<'get_memory'> = contract.get_memory.output.parse(input);
    console.log(memory.created_at.length);
  `;
  const bundled = {
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    lib: ['es2022', 'dom'],
  };

  it.each([
    ['without zod, as Node.js finds modules', { client, embedded }, node, ['@types/node']],
    ['without zod, as bundlers find modules', { client, embedded }, bundled, []],
    ['with zod', { client, embedded, contract }, node, ['@types/node', 'zod']],
  ])(
    'fit %s',
    (_, sources, options, packages) => {
      expect(problemsOf(sources, options, packages)).toEqual([]);
    },
    120_000,
  );
});

it('docs/library.md shows programs that fit', () => {
  const text = readFileSync('docs/library.md', 'utf8');
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const programs = Object.fromEntries(blocks.map((block, index) => [`program-${index}`, block]));

  expect(blocks.length).toBeGreaterThan(0);
  expect(problemsOf(programs, node, ['@types/node', 'zod'])).toEqual([]);
}, 120_000);

/** What an example prints. */
function run(example: string, ...args: string[]): string[] {
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  const options = { cwd: project, env, encoding: 'utf8' } as const;
  return execFileSync(process.execPath, [example, ...args], options)
    .trim()
    .split('\n');
}

/** What the compiler, at its strictest, says about a project that has these packages too. */
function problemsOf(
  sources: Record<string, string>,
  options: object,
  packages: string[],
): string[] {
  const folder = mkdtempSync(join(project, 'types-'));
  // Beside the installed package, not above it: what is not listed must not be found.
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = {
    target: 'es2022',
    noEmit: true,
    skipLibCheck: false,
    ...strict,
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, source] of Object.entries(sources))
    writeFileSync(join(folder, `${name}.ts`), source);
  cpSync(join(project, 'node_modules/mneme'), join(folder, 'node_modules/mneme'), {
    recursive: true,
  });
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve('node_modules', name), link, 'junction');
  }
  const tsc = resolve('node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' });
    return [];
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
      .trim()
      .split('\n');
  }
}
