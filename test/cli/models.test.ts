import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { installRuntime, installTimeoutMs } from '../models/installed.ts';
import { startModelHub } from '../support/model-hub.ts';
import { startPackageRegistry } from '../support/package-registry.ts';
import { writeTinyEmbedder } from '../support/tiny-models.ts';
import { runIn, start, temporaryFolder } from './support.ts';

let runtime: string;

beforeAll(async () => {
  runtime = await installRuntime();
}, installTimeoutMs);

/** The model of the list whose hashes mneme does not know, so that a tiny one can stand in. */
const unpinned = 'arctic-embed-m-v1.5';
const onHub = 'Snowflake/snowflake-arctic-embed-m-v1.5';
const pinned = 'all-minilm-l6-v2';

/** A home with one memory, and a hub of tiny models under the names of the list. */
async function prepare({ hasRuntime = true } = {}) {
  const home = temporaryFolder();
  const hubs = temporaryFolder();
  const models = temporaryFolder();
  if (hasRuntime)
    symlinkSync(join(runtime, 'node_modules'), join(models, 'node_modules'), 'junction');
  // The real one uses its first token, of which a tiny network makes nothing.
  const files = { '1_Pooling/config.json': { pooling_mode_mean_tokens: true } };
  writeTinyEmbedder(join(hubs, onHub), { files });
  writeTinyEmbedder(join(hubs, 'Xenova/all-MiniLM-L6-v2'));
  const hub = await startModelHub(hubs);
  onTestFinished(hub.close);
  const config = join(home, 'mneme.json');
  writeFileSync(config, '{\n  "search_timeout_ms": 20000\n}\n');
  const env = {
    MNEME_CONFIG: config,
    MNEME_LOCAL_MODELS_DIR: models,
    MNEME_LOCAL_HUB_URL: hub.url,
  };
  const run: ReturnType<typeof runIn> = (args, options) =>
    runIn(home)(args, { ...options, env: { ...env, ...options?.env } });
  await run(['add', 'The vehicle is parked behind the house']);
  const options = () => JSON.parse(readFileSync(config, 'utf8'));
  return { home, run, hub, env, config, models, options };
}

type Listed = { name: string; installed: boolean };

describe('mneme models', () => {
  it('lists what there is, with what is in use', async () => {
    const { run } = await prepare();

    const text = await run(['models']);
    const { stdout } = await run(['models', '--json']);

    expect(text.stdout).toMatch(/^ +table +in use +0 +256 /m);
    expect(text.stdout).toMatch(/^ +all-minilm-l6-v2 +91 +384 /m);
    const { in_use, models } = JSON.parse(stdout);
    expect(in_use).toBe('table');
    expect(models.map(({ name, installed }: Listed) => [name, installed])).toContainEqual([
      pinned,
      false,
    ]);
  });

  it('names what is configured if it is none of the list', async () => {
    const { run } = await prepare();
    const inUse = async (env: Record<string, string>) =>
      JSON.parse((await run(['models', '--json'], { env })).stdout).in_use;

    expect(await inUse({ MNEME_LOCAL_EMBEDDER: 'Some/tiny' })).toBe('Some/tiny');
    expect(await inUse({ MNEME_LOCAL_EMBEDDER: onHub })).toBe(unpinned);
    expect(await inUse({ MNEME_EMBEDDER_URL: 'http://127.0.0.1:59/v1' })).toMatch('127.0.0.1:59');
    expect(await inUse({ MNEME_STATIC_EMBEDDER: 'false' })).toBe('words');
  });
});

describe('mneme models use', () => {
  it('fetches a model, configures it and embeds with it; off goes back', async () => {
    const { run, options, config } = await prepare();

    const used = await run(['models', 'use', unpinned]);
    const listed = await run(['models']);
    const doctor = await run(['doctor']);
    const found = await run(['search', 'Which automobile?']);

    expect(used.code).toBe(0);
    expect(used.stdout).toMatch(/fetched +onnx\/model\.onnx, SHA-256 \w{12}\.\.\., recorded/);
    expect(used.stdout.replace(/\s+/g, ' ')).toMatch(
      `changed ${config}, with "local_embedder": "${onHub}"`,
    );
    expect(used.stdout).toMatch(/embedded +1 memory with it/);
    expect(options()).toEqual({ search_timeout_ms: 20_000, local_embedder: onHub });
    expect(listed.stdout).toMatch(new RegExp(`^ +${unpinned.replaceAll('.', '\\.')} +in use`, 'm'));
    expect(doctor.stdout.replace(/\s+/g, ' ')).toMatch(
      /Embedding model local:Snowflake\S+ answers: 64 dimensions/,
    );
    expect(found.stdout).toMatch('The vehicle is parked behind the house');

    const off = await run(['models', 'off', '--json']);
    const after = await run(['doctor']);

    expect(JSON.parse(off.stdout)).toMatchObject({ in_use: 'table', memories: 1 });
    expect(options()).toEqual({ search_timeout_ms: 20_000 });
    expect(after.stdout).toMatch(/Search +by words and by meaning, with the table/);
  });

  it('changes nothing where a hash is wrong, and says so in one line', async () => {
    const { run, options, models } = await prepare();

    const { code, stderr } = await run(['models', 'use', pinned]);

    expect(code).toBe(4);
    expect(stderr).toMatch(/^error: config\.json of Xenova\/all-MiniLM-L6-v2 has the SHA-256/m);
    expect(options()).not.toHaveProperty('local_embedder');
    expect(existsSync(join(models, 'hub/Xenova/all-MiniLM-L6-v2'))).toBe(true);
  });

  it('continues a download that was cut off', async () => {
    const { run, hub, options } = await prepare();
    hub.cutAfter = 3000;

    const cut = await run(['models', 'use', unpinned]);
    hub.cutAfter = null;
    const again = await run(['models', 'use', unpinned]);

    expect(cut.code).toBe(1);
    expect(cut.stderr).toMatch(/^error: the download of \S+ was interrupted/m);
    expect(again.code).toBe(0);
    expect(hub.asked.some((one) => one.includes('bytes='))).toBe(true);
    expect(options().local_embedder).toBe(onHub);
  });

  it('writes the flags that decide which files are loaded', async () => {
    const { run, options, hub } = await prepare();

    const { code } = await run(['models', 'use', unpinned, `--local-hub-url=${hub.url}/`]);

    expect(code).toBe(0);
    expect(options()).toMatchObject({ local_embedder: onHub, local_hub_url: `${hub.url}/` });
  });

  it('refuses unknown names and actions with those that there are', async () => {
    const { run, hub } = await prepare();

    const name = await run(['models', 'use', 'all-minilm-l6-v3']);
    const none = await run(['models', 'use']);
    const action = await run(['models', 'fetch']);

    expect([name.code, none.code, action.code]).toEqual([2, 2, 2]);
    expect(name.stderr).toMatch('Did you mean "all-minilm-l6-v2"?');
    expect(none.stderr).toMatch('NAME is missing');
    expect(action.stderr).toMatch('unknown action "fetch". Known: use, off');
    expect(hub.asked).toEqual([]);
  });

  it('refuses to write what another source overrides', async () => {
    const { run, hub, config } = await prepare();
    const use = async (env: Record<string, string>) => {
      const { code, stderr } = await run(['models', 'use', unpinned], { env });
      return `${code} ${stderr}`;
    };

    expect(await use({ MNEME_LOCAL_EMBEDDER: 'Some/tiny' })).toMatch(
      `4 error: local_embedder is set by environment MNEME_LOCAL_EMBEDDER, which overrides ${config}`,
    );
    expect(await use({ MNEME_EMBEDDER_URL: 'http://127.0.0.1:59/v1' })).toMatch(
      '4 error: embedder_url is set by environment MNEME_EMBEDDER_URL',
    );
    expect(hub.asked).toEqual([]);
  });

  it('names the processes that search as before', async () => {
    const { home, run, env } = await prepare();
    const server = start(home, ['serve', '--port=0'], { env });
    onTestFinished(async () => {
      server.kill();
      await once(server, 'close');
    });
    await once(server.stderr, 'data');
    await expect.poll(async () => (await run(['doctor'])).stdout).toMatch('Lock');

    const { stdout } = await run(['models', 'use', unpinned, '--json']);

    const usesStore = process.platform === 'linux' ? [server.pid] : null;
    expect(JSON.parse(stdout).restart).toEqual(usesStore);
  });

  it('installs what runs models with npm, or says why it can not', async () => {
    const { run, models, options } = await prepare({ hasRuntime: false });
    const nobody = { npm_config_registry: 'http://127.0.0.1:59', npm_config_fetch_retries: '0' };

    const without = await run(['models', 'use', unpinned], { env: nobody });
    const registry = await startPackageRegistry('@huggingface/transformers', {
      version: '4.3.1',
      main: `module.exports = require(${JSON.stringify(join(runtime, 'node_modules/@huggingface/transformers'))});`,
    });
    onTestFinished(registry.close);
    const env = { npm_config_registry: registry.url, npm_config_cache: temporaryFolder() };
    const installed = await run(['models', 'use', unpinned], { env });

    expect(without.code).toBe(1);
    expect(without.stderr).toMatch(
      /^error: @huggingface\/transformers@4\.3\.1 cannot be installed: ECONNREFUSED/m,
    );
    expect(installed).toMatchObject({ code: 0 });
    expect(existsSync(join(models, 'node_modules/@huggingface/transformers'))).toBe(true);
    expect(options().local_embedder).toBe(onHub);
  });

  it('leaves a file that it can not change', async () => {
    const { run, config } = await prepare();
    const folder = join(dirname(config), 'folder.json');
    mkdirSync(folder);

    const { code, stderr } = await run(['models', 'use', unpinned], {
      env: { MNEME_CONFIG: folder },
    });

    expect(code).toBe(2);
    expect(stderr).toMatch(folder);
  });
});

describe('mneme models off', () => {
  it('says that only words are left where the table is off', async () => {
    const { run } = await prepare();

    const { code, stdout } = await run(['models', 'off'], {
      env: { MNEME_STATIC_EMBEDDER: 'false' },
    });

    expect(code).toBe(0);
    expect(stdout).toMatch(/in use +words only/);
    expect(stdout).toMatch(/static_embedder is false \(environment\s+MNEME_STATIC_EMBEDDER\)/);
  });
});
