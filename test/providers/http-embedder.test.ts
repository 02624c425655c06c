import { describe, expect, it, onTestFinished } from 'vitest';
import { openEmbedder } from '../../src/app/models/search-models.ts';
import { configFromOptions } from '../../src/config/load-config.ts';
import { optionNames } from '../../src/config/options.ts';
import type { Embedder } from '../../src/core/ports/index.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

async function prepare(given: Record<string, unknown> = {}) {
  const server = await startModelServer();
  const config = configFromOptions({ embedder_url: server.url, ...given }, optionNames);
  const embedder = openEmbedder(config, { log: () => {} });
  if (embedder === null) throw new Error('an embedder was configured');
  onTestFinished(async () => {
    await embedder.close();
    await server.close();
  });
  return { server, embedder };
}

function textsOf(server: ModelServer): string[][] {
  return server.requests.map(({ body }) => body.input as string[]);
}

const memory = { purpose: 'memory' } as const;

function lengthOf(vector: Float32Array | null | undefined): number {
  return Math.hypot(...(vector ?? []));
}

describe('an embedder behind an address', () => {
  it('answers vectors of length 1 in the order of the texts, whatever order they come in', async () => {
    const { embedder } = await prepare();

    const [first, second] = await embedder.embed(['The car', 'The sea'], memory);
    const [alone] = await embedder.embed(['The sea'], memory);

    expect(lengthOf(first)).toBeCloseTo(1, 5);
    expect(second).toEqual(alone);
    expect(first).not.toEqual(second);
  });

  it('sends model, key and dimensions, and is named after them', async () => {
    const { server, embedder } = await prepare({
      embedder_model: 'small',
      embedder_api_key: 'k-1',
      embedder_dimensions: 32,
    });

    const [vector] = await embedder.embed(['The car'], memory);

    expect(vector?.length).toBe(32);
    expect(embedder.name).toBe('small@32');
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe('Bearer k-1');
    expect(request?.body).toMatchObject({ model: 'small', dimensions: 32, input: ['The car'] });
  });

  it('puts before texts what the model wants, and is named after that', async () => {
    const { server, embedder } = await prepare({
      embedder_query_prefix: 'search_query: ',
      embedder_memory_prefix: 'search_document: ',
    });
    const plain = await prepare();

    await embedder.embed(['The car'], memory);
    await embedder.embed(['Which car?'], { purpose: 'question' });

    expect(textsOf(server)).toEqual([['search_document: The car'], ['search_query: Which car?']]);
    expect(embedder.name).not.toBe(plain.embedder.name);
    expect(plain.embedder.name).toBe('default');
  });

  it('cuts many texts into requests of a size that servers take', async () => {
    const { server, embedder } = await prepare();
    const texts = Array.from({ length: 100 }, (_, index) => `The car number ${index}`);

    const vectors = await embedder.embed(texts, memory);

    expect(vectors.filter((vector) => vector !== null)).toHaveLength(100);
    expect(textsOf(server).map(({ length }) => length)).toEqual([32, 32, 32, 4]);
  });

  it('finds the text that is refused, cuts it, and embeds the others', async () => {
    const { server, embedder } = await prepare();
    server.reply = ({ body }) => {
      const isLong = (body.input as string[]).some((text) => text.length > 600);
      return isLong ? { status: 400, body: { error: { message: 'too long' } } } : null;
    };

    const vectors = await embedder.embed(['The car', 'sea '.repeat(500), 'The dog'], memory);

    expect(vectors.map((vector) => vector?.length)).toEqual([64, 64, 64]);
  });

  it('passes a text that is refused however short, but not a server that refuses all', async () => {
    const { server, embedder } = await prepare();
    server.reply = ({ body }) =>
      (body.input as string[]).some((text) => text.includes('bad')) ? { status: 400 } : null;
    expect(await embedder.embed(['bad '.repeat(100)], memory)).toEqual([null]);

    server.reply = () => ({ status: 400 });
    const refused = embedder.embed(['The car'], memory);

    await expect(refused).rejects.toThrow('embedder_model');
  });

  it('tries again what fails for the moment, after as long as the server asks for', async () => {
    const { server, embedder } = await prepare();
    const answers = [{ status: 503 }, { status: 429, headers: { 'Retry-After': '0' } }];
    server.reply = () => answers.shift() ?? null;

    const [vector] = await embedder.embed(['The car'], memory);

    expect(vector?.length).toBe(64);
    expect(server.requests).toHaveLength(3);
  });

  it('tries a question once', async () => {
    const { server, embedder } = await prepare();
    server.reply = () => ({ status: 503 });

    const asked = embedder.embed(['Which car?'], { purpose: 'question' });

    await expect(asked).rejects.toThrow('503');
    expect(server.requests).toHaveLength(1);
  });

  it('says what is wrong with key, model and address, and nothing of the server', async () => {
    const { server, embedder } = await prepare();
    const messageOf = (status: number) => {
      server.reply = () => ({ status, body: { error: 'secret words' } });
      return embedder.embed(['The car'], memory).catch((error: Error) => error.message);
    };

    expect(await messageOf(401)).toBe(
      'the embedder returned status 401: embedder_api_key is missing or wrong',
    );
    expect(await messageOf(404)).toMatch('embedder_url');
    expect(await messageOf(302)).toBe('the embedder returned status 302');
  });

  it('ends when a server does not answer in time, or is not there', async () => {
    const { server, embedder } = await prepare({ embedder_timeout_ms: 100 });
    server.reply = () => 'never';
    const asked = (one: Embedder) => one.embed(['Which car?'], { purpose: 'question' });
    await expect(asked(embedder)).rejects.toThrow('did not respond');

    const elsewhere = configFromOptions({ embedder_url: 'http://127.0.0.1:9/v1' }, optionNames);
    const away = openEmbedder(elsewhere, { log: () => {} });
    onTestFinished(() => away?.close());

    if (away === null) throw new Error('an embedder was configured');
    await expect(asked(away)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('believes no answer that is no list of vectors of one length', async () => {
    const { server, embedder } = await prepare();
    for (const body of [
      null,
      { data: [] },
      { data: [{ index: 0, embedding: [] }] },
      { data: [{ index: 0, embedding: [1, 'x'] }] },
      { data: [{ index: 7, embedding: [1, 2] }] },
    ]) {
      server.reply = () => ({ status: 200, body });
      const asked = embedder.embed(['Which car?'], { purpose: 'question' });
      await expect(asked).rejects.toThrow('vectors');
    }
  });
});
