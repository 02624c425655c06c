import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startModelHub } from '../support/model-hub.ts';
import { writeTinyEmbedder } from '../support/tiny-models.ts';
import { installRuntime, installTimeoutMs } from './installed.ts';
import { embedderOf, temporaryFolder } from './support.ts';

let runtime: string;

beforeAll(async () => {
  runtime = await installRuntime();
}, installTimeoutMs);

const asked = { purpose: 'question' } as const;
/** Nobody listens there. */
const nobody = 'http://127.0.0.1:59';

/** A folder of models with what runs them, and without any model yet. */
function emptyFolder(): string {
  const folder = temporaryFolder();
  symlinkSync(join(runtime, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

async function prepareHub() {
  const folder = temporaryFolder();
  writeTinyEmbedder(join(folder, 'Some/tiny'));
  const hub = await startModelHub(folder);
  onTestFinished(hub.close);
  return { hub, folder };
}

describe('a model of a hub', () => {
  it('is downloaded once, and then needs no network', async () => {
    const { hub } = await prepareHub();
    const local_models_dir = emptyFolder();
    const given = { local_embedder: 'Some/tiny', local_models_dir };
    const first = embedderOf({ ...given, local_hub_url: hub.url });

    const [vector] = await first.embedder.embed(['car'], asked);
    const second = embedderOf({ ...given, local_hub_url: nobody });
    const [again] = await second.embedder.embed(['car'], asked);

    expect(again).toEqual(vector);
    expect(first.embedder.name).toBe(second.embedder.name);
    expect(hub.asked).toContain('GET /Some/tiny/resolve/main/onnx/model.onnx');
    expect(first.lines.map(({ level, message, model }) => ({ level, message, model }))).toEqual([
      { level: 'info', message: 'local embedder loading', model: 'Some/tiny' },
      { level: 'info', message: 'local embedder loaded', model: 'Some/tiny' },
    ]);
  });

  it('is used in the revision that is asked for, and no other that is there', async () => {
    const { hub, folder } = await prepareHub();
    const local_models_dir = emptyFolder();
    const given = { local_models_dir, local_hub_url: hub.url };
    await embedderOf({ ...given, local_embedder: 'Some/tiny' }).embedder.embed(['car'], asked);
    writeTinyEmbedder(join(folder, 'Some/tiny'), { dimension: 32 });

    const { embedder } = embedderOf({ ...given, local_embedder: 'Some/tiny@v2' });
    const [vector] = await embedder.embed(['car'], asked);

    expect(vector?.length).toBe(32);
    expect(hub.asked).toContain('GET /Some/tiny/resolve/v2/onnx/model.onnx');
  });

  it('says that it cannot be downloaded, and from where', async () => {
    const given = { local_embedder: 'Some/tiny', local_models_dir: emptyFolder() };
    const { embedder, lines } = embedderOf({ ...given, local_hub_url: nobody });

    const embedding = embedder.embed(['car'], asked);

    await expect(embedding).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        `^Some/tiny cannot be downloaded from ${nobody}: .*ECONNREFUSED`,
      ),
    });
    expect(lines.at(-1)).toMatchObject({ level: 'warn', message: 'local embedder process ended' });
  });

  it('says which name, which file or which setting is wrong', async () => {
    const { hub } = await prepareHub();
    const common = { local_models_dir: emptyFolder(), local_hub_url: hub.url };
    const messageOf = (given: object, more = {}) =>
      embedderOf({ ...common, ...given }, more)
        .embedder.embed(['car'], asked)
        .catch(({ message }) => message);

    expect(await messageOf({ local_embedder: 'Some/other' })).toBe(
      `${hub.url} refuses access to Some/other: check the name, or set HF_TOKEN`,
    );
    expect(await messageOf({ local_embedder: 'Some/tiny', local_dtype: 'q8' })).toBe(
      'Some/tiny has no onnx/model_quantized.onnx, which local_dtype q8 needs: ' +
        'choose another, or a model with ONNX files',
    );
    expect(await messageOf({ local_embedder: 'Some/new' }, { download: false })).toMatch(
      /^Some\/new has no config\.json on this machine yet$/,
    );
  });

  it('leaves nothing of downloads that were cut off', async () => {
    const { hub } = await prepareHub();
    const local_models_dir = emptyFolder();
    const own = join(local_models_dir, 'hub/Some/tiny/onnx');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'model.onnx.tmp.999999999.abc'), 'half');
    const given = { local_embedder: 'Some/tiny', local_models_dir, local_hub_url: hub.url };

    await embedderOf(given).embedder.embed(['car'], asked);

    expect(readdirSync(own)).toEqual(['model.onnx']);
  });
});

describe('a model in a folder', () => {
  it('asks nobody, and says what is missing or broken', async () => {
    const { hub } = await prepareHub();
    const folder = join(temporaryFolder(), 'tiny');
    const common = { local_models_dir: runtime, local_hub_url: hub.url };
    const embedding = () =>
      embedderOf({ ...common, local_embedder: folder })
        .embedder.embed(['car'], asked)
        .catch(({ message }) => message);

    expect(await embedding()).toMatch(/^\S+tiny has no config\.json$/);
    writeTinyEmbedder(folder);
    expect(await embedding()).toHaveLength(1);
    truncateSync(join(folder, 'onnx/model.onnx'), 200);
    expect(await embedding()).toMatch(/^\S+tiny \(fp32\) cannot be loaded: /);
    expect(hub.asked).toEqual([]);
  });
});

describe('the package that runs models', () => {
  it('is optional: without it an error says how to install it', async () => {
    const local_embedder = join(temporaryFolder(), 'tiny');
    writeTinyEmbedder(local_embedder);
    const local_models_dir = join(temporaryFolder(), 'my models');
    const { embedder } = embedderOf({ local_embedder, local_models_dir });

    const embedding = embedder.embed(['car'], asked);

    await expect(embedding).rejects.toThrow(
      '@huggingface/transformers is not installed; install it with: npm install ' +
        `--ignore-scripts --prefix ${JSON.stringify(local_models_dir)} @huggingface/transformers`,
    );
  });
});

describe('the process of a model', () => {
  it('is not asked again and again after a failure', async () => {
    const given = { local_embedder: 'Some/tiny', local_models_dir: emptyFolder() };
    const { embedder, lines } = embedderOf({ ...given, local_hub_url: nobody });

    const failures = [];
    for (const text of ['car', 'dog', 'sea']) {
      failures.push(await embedder.embed([text], asked).catch(({ message }) => message));
    }

    expect(new Set(failures).size).toBe(1);
    expect(lines.filter(({ message }) => message === 'local embedder loading')).toHaveLength(1);
  });

  it('takes nobody along when it dies, and who waits hears of it', async () => {
    const local_embedder = join(temporaryFolder(), 'tiny');
    writeTinyEmbedder(local_embedder, { slow: 3000 });
    const { embedder } = embedderOf({ local_embedder, local_models_dir: runtime });
    await embedder.embed(['car'], asked);

    const waiting = embedder.embed(['car '.repeat(400)], asked).catch(({ message }) => message);
    await embedder.close();

    expect(await waiting).toBe('closed');
  });
});
