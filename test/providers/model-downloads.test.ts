import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CatalogModel } from '../../src/app/models/model-catalog.ts';
import { fetchModel } from '../../src/app/models/model-downloads.ts';
import { runtimeVersion } from '../../src/providers/models/local/install-runtime.ts';
import { runtimePackage } from '../../src/providers/models/local/transformers-runtime.ts';
import { startModelHub } from '../support/model-hub.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-fetch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const weights = Buffer.from(Array.from({ length: 50_000 }, (_, at) => at % 251));
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** A hub with one model, and a folder of models that holds only what runs them. */
async function prepare(hashes: CatalogModel['hashes'] = {}) {
  const hubs = temporaryFolder();
  const own = join(hubs, 'Some/tiny');
  mkdirSync(join(own, 'onnx'), { recursive: true });
  writeFileSync(join(own, 'config.json'), '{}');
  writeFileSync(join(own, 'tokenizer.json'), '{}');
  writeFileSync(join(own, 'onnx/model.onnx'), weights);
  const hub = await startModelHub(hubs);
  onTestFinished(hub.close);
  const local_models_dir = folderWithRuntime();
  const model: CatalogModel = {
    name: 'tiny',
    model: 'Some/tiny',
    revision: 'main',
    languages: 'English',
    dimensions: 64,
    bytes: 50_000,
    measured: null,
    hashes,
  };
  const config = { local_models_dir, local_hub_url: hub.url, local_dtype: 'fp32' as const };
  const said: string[] = [];
  const fetch = (given: Partial<typeof config> = {}, freeBytes = 10 ** 12) =>
    fetchModel({ ...config, ...given }, model, {
      onProgress: (words) => said.push(words),
      freeBytes: async () => freeBytes,
    });
  const folder = join(local_models_dir, 'hub/Some/tiny');
  const present = () =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => /\./.test(one))
      : [];
  return { hub, own, fetch, folder, present, said, local_models_dir };
}

describe('fetching a model', () => {
  it('stores its files, reports progress and records their hashes', async () => {
    const { fetch, folder, said, local_models_dir } = await prepare();

    const files = await fetch();

    expect(readFileSync(join(folder, 'onnx/model.onnx')).equals(weights)).toBe(true);
    expect(files).toContainEqual({
      file: 'onnx/model.onnx',
      sha256: sha256(weights),
      checked: 'first',
    });
    expect(said.at(-1)).toMatch(/^tiny, onnx\/model\.onnx: \S+ MB of \S+ MB$/);
    expect(readFileSync(join(local_models_dir, 'fetched-files.json'), 'utf8')).toMatch(
      sha256(weights),
    );
  });

  it('follows a hub to its storage, and continues there', async () => {
    const { fetch, folder, hub } = await prepare();
    hub.redirects = true;
    hub.cutAfter = 20_000;

    const files = await fetch();

    expect(hub.asked).toContain('GET /storage/Some/tiny/onnx/model.onnx bytes=40000-');
    expect(files[2]?.sha256).toBe(sha256(weights));
    expect(readFileSync(join(folder, 'onnx/model.onnx')).equals(weights)).toBe(true);
  });

  it('refuses what is not the file that the hub describes', async () => {
    const { fetch, hub, own } = await prepare();
    hub.redirects = true;
    hub.cutAfter = 20_000;
    const fetching = fetch();
    await expect.poll(() => hub.asked.some((one) => one.includes('bytes='))).toBe(true);
    writeFileSync(join(own, 'onnx/model.onnx'), Buffer.alloc(weights.length, 7));

    await expect(fetching).rejects.toMatchObject({ code: 'conflict' });
  });

  it('asks for nothing that is there, and checks it again', async () => {
    const { fetch, hub } = await prepare();
    await fetch();
    hub.asked.length = 0;

    const files = await fetch();

    expect(hub.asked.filter((one) => one.startsWith('GET'))).toEqual([]);
    expect(files.every(({ checked }) => checked === 'recorded')).toBe(true);
  });

  it('replaces a file that was damaged on this machine', async () => {
    const { fetch, folder } = await prepare();
    await fetch();
    writeFileSync(join(folder, 'onnx/model.onnx'), 'half');

    await fetch();

    expect(readFileSync(join(folder, 'onnx/model.onnx')).equals(weights)).toBe(true);
  });

  it('continues a download that was cut off, and never shows half a file', async () => {
    const { fetch, folder, hub, present } = await prepare();
    hub.cutAfter = 10_000;

    const failure = await fetch().catch((error) => error);
    const between = present();
    hub.cutAfter = null;
    await fetch();

    expect(failure).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching('interr'),
    });
    expect(between).not.toContain('onnx/model.onnx');
    expect(hub.asked).toContain('GET /Some/tiny/resolve/main/onnx/model.onnx bytes=30000-');
    expect(readFileSync(join(folder, 'onnx/model.onnx')).equals(weights)).toBe(true);
    expect(present().filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  it('starts over if the hub has another file meanwhile', async () => {
    const { fetch, folder, hub, own } = await prepare();
    hub.cutAfter = 10_000;
    await fetch().catch(() => {});
    const other = Buffer.alloc(40_000, 7);
    writeFileSync(join(own, 'onnx/model.onnx'), other);
    hub.cutAfter = null;

    await fetch();

    expect(readFileSync(join(folder, 'onnx/model.onnx')).equals(other)).toBe(true);
  });

  it('removes a file whose hash is not the known one', async () => {
    const { fetch, present } = await prepare({ 'onnx/model.onnx': sha256(Buffer.from('other')) });

    const fetching = fetch();

    await expect(fetching).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^onnx\/model\.onnx of Some\/tiny has the SHA-256 \w{12}/),
    });
    expect(present().sort()).toEqual(['config.json', 'tokenizer.json']);
  });

  it('refuses a file that has changed since it was first fetched', async () => {
    const { fetch, folder, own } = await prepare();
    await fetch();
    rmSync(folder, { recursive: true });
    writeFileSync(join(own, 'onnx/model.onnx'), 'other');

    await expect(fetch()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('says in one line what the hub or the network refuses', async () => {
    const { fetch, own, hub } = await prepare();
    const failing = async (given: Parameters<typeof fetch>[0]) => {
      const { code, message } = await fetch(given).catch((error) => error);
      expect(message).not.toMatch('\n');
      return `${code} ${message}`;
    };

    expect(await failing({ local_hub_url: 'http://127.0.0.1:59' })).toMatch(
      /^unavailable http:\S+config\.json cannot be downloaded: .*ECONNREFUSED/,
    );
    expect(await failing({ local_dtype: 'q8' as 'fp32' })).toBe(
      `not_found Some/tiny has no onnx/model_quantized.onnx at ${hub.url}, which local_dtype asks for`,
    );
    rmSync(own, { recursive: true });
    expect(await failing({ local_models_dir: folderWithRuntime() })).toMatch(
      /^forbidden .*refuses access \(401\)/,
    );
  });

  it('asks for space before it downloads anything', async () => {
    const { fetch, hub } = await prepare();

    await expect(fetch({}, 1_000_000)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^tiny needs 50\.1 MB, and 1 MB are free in /),
    });
    expect(hub.asked).toEqual([]);
  });

  it('lets only one process fetch at a time, and outlives one that died', async () => {
    const { fetch, local_models_dir } = await prepare();
    const lock = join(local_models_dir, '.fetching');
    writeFileSync(lock, String(process.ppid));
    await expect(fetch()).rejects.toMatchObject({
      code: 'conflict',
      message: `process ${process.ppid} is fetching a model: try again when it is done`,
    });
    writeFileSync(lock, '999999999');

    const files = await fetch();

    expect(files).toHaveLength(3);
    expect(existsSync(lock)).toBe(false);
  });

  it('says that a folder can not be used', async () => {
    const { fetch } = await prepare();
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');

    await expect(fetch({ local_models_dir: join(file, 'models') })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching('a part of its path is a file'),
    });
  });
});

describe('the package that runs models', () => {
  it('is installed in the version that the tests run', () => {
    const { dependencies } = JSON.parse(readFileSync('test/models/packages/package.json', 'utf8'));

    expect(dependencies[runtimePackage]).toBe(runtimeVersion);
  });
});

/** As npm leaves it. */
function folderWithRuntime(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  const list = '{ "packages": { "node_modules/@huggingface/transformers": {} } }';
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), list);
  return folder;
}
