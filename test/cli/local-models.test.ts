import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { installRuntime, installTimeoutMs } from '../models/installed.ts';
import { startModelHub } from '../support/model-hub.ts';
import { writeTinyEmbedder, writeTinyReranker } from '../support/tiny-models.ts';
import { runIn, temporaryFolder } from './support.ts';

let runtime: string;

beforeAll(async () => {
  runtime = await installRuntime();
}, installTimeoutMs);

/** A home with one memory, a hub, and a folder of models in which nothing is yet. */
async function prepare() {
  const home = temporaryFolder();
  const hubs = temporaryFolder();
  const models = temporaryFolder();
  symlinkSync(join(runtime, 'node_modules'), join(models, 'node_modules'), 'junction');
  writeTinyEmbedder(join(hubs, 'Some/tiny'));
  writeTinyReranker(join(hubs, 'Some/judge'));
  const hub = await startModelHub(hubs);
  onTestFinished(hub.close);
  const env = {
    MNEME_LOCAL_EMBEDDER: 'Some/tiny',
    MNEME_LOCAL_MODELS_DIR: models,
    MNEME_LOCAL_HUB_URL: hub.url,
    // One process recalls and ends: it has to wait until the model is loaded.
    MNEME_SEARCH_TIMEOUT_MS: '20000',
  };
  const run: ReturnType<typeof runIn> = async (args, options) => {
    const { stdout, ...rest } = await runIn(home)(args, options);
    return { ...rest, stdout: stdout.replace(/\s+/g, ' ') }; // Its lines are broken anywhere.
  };
  await run(['add', 'The vehicle is parked behind the house']);
  return { run, env, hub };
}

describe('mneme with local models', () => {
  it('downloads the model and embeds with reindex, then finds by meaning', async () => {
    const { run, env } = await prepare();

    const { code, stderr } = await run(['reindex'], { env });
    const found = await run(['search', 'Which automobile?'], { env });

    expect(stderr).toMatch(/"message":"local embedder loaded","model":"Some\/tiny"/);
    expect(stderr).toMatch(/embedded 1 memory with local:Some\/tiny#[0-9a-f]{8}$/m);
    expect(code).toBe(0);
    expect(found.stdout).toMatch('The vehicle is parked behind the house');
  });

  it('says in doctor whether models are there, and downloads none for that', async () => {
    const { run, env, hub } = await prepare();
    const both = { ...env, MNEME_LOCAL_RERANKER: 'Some/judge' };

    const before = await run(['doctor'], { env: both });
    expect(before.code).toBe(0);
    expect(before.stdout).toMatch(
      /warning +Embedding model +Some\/tiny has no config.json on this machine yet/,
    );
    expect(before.stdout).toMatch(/warning +Reranking model +Some\/judge has no config.json on/);
    expect(hub.asked).toEqual([]);

    await run(['reindex'], { env: both });
    const after = await run(['doctor'], { env: both });

    expect(after.stdout).toMatch(
      /ok +Embedding model +local:Some\/tiny#\w+ answers: 64 dimensions, reliability \d+%/,
    );
  });

  it('says how to install what runs models, and goes on by words', async () => {
    const { run, env } = await prepare();
    const without = { ...env, MNEME_LOCAL_MODELS_DIR: temporaryFolder() };

    const doctor = await run(['doctor'], { env: without });
    const reindex = await run(['reindex'], { env: without });
    const recall = await run(['search', 'vehicle'], { env: without });

    const advice = 'install it with: npm install --ignore-scripts --prefix';
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(advice);
    expect(reindex.code).not.toBe(0);
    expect(reindex.stderr).toMatch(advice);
    expect(recall.stdout).toMatch('The vehicle is parked behind the house');
  });

  it('takes an address or a local model, not both', async () => {
    const { run, env } = await prepare();

    const { code, stderr } = await run(['reindex'], {
      env: { ...env, MNEME_EMBEDDER_URL: 'http://127.0.0.1:59/v1' },
    });

    expect(code).not.toBe(0);
    expect(stderr).toMatch('local_embedder: cannot be used together with embedder_url');
  });

  it('refuses what is neither a name nor a folder', async () => {
    const { run, env } = await prepare();

    const { stdout } = await run(['doctor'], {
      env: { ...env, MNEME_LOCAL_EMBEDDER: 'Some/../tiny' },
    });

    expect(stdout).toMatch('must be a name such as Xenova/all-MiniLM-L6-v2');
  });
});
