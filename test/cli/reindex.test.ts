import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { startModelServer } from '../support/model-server.ts';
import { runIn, temporaryFolder } from './support.ts';

async function prepare() {
  const home = temporaryFolder();
  const run = runIn(home);
  const server = await startModelServer();
  onTestFinished(server.close);
  const env = {
    MNEME_EMBEDDER_URL: server.url,
    MNEME_EMBEDDER_MODEL: 'small',
    MNEME_SEARCH_TIMEOUT_MS: '20000', // A busy machine is no model that is away.
  };
  await run(['add', 'The vehicle is parked behind the house']);
  return { home, run, server, env };
}

describe('mneme reindex', () => {
  it('embeds what has no vector yet, so that meanings are found', async () => {
    const { run, env } = await prepare();

    const { code, stderr } = await run(['reindex'], { env });
    const found = await run(['search', 'Which automobile?'], { env });

    expect(code).toBe(0);
    expect(stderr).toMatch(/embedded 1 memory with small$/m);
    expect(found.stdout).toMatch('The vehicle is parked behind the house');
  });

  it('asks for nothing again, unless all is to be embedded anew', async () => {
    const { run, server, env } = await prepare();
    await run(['reindex'], { env });
    const asked = () => server.requests.flatMap(({ body }) => body.input as string[]);
    const times = () => asked().filter((text) => text.startsWith('The vehicle')).length;

    await run(['reindex'], { env });
    expect(times()).toBe(1);
    const { stdout } = await run(['reindex', '--all', '--json'], { env });

    expect(times()).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ memories: 1, model: 'small' });
  });

  it('says why it cannot go on', async () => {
    const { run, server, env } = await prepare();
    server.reply = () => ({ status: 401 });

    const { code, stderr } = await run(['reindex'], { env });

    expect(code).not.toBe(0);
    expect(stderr).toMatch('embedder_api_key');
  });

  it('embeds with the table of the package where no model is configured', async () => {
    const { run } = await prepare();

    const { code, stderr } = await run(['reindex']);

    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('with mneme-static-2'),
    });
  });

  it('asks for a model where the table is off too', async () => {
    const { run } = await prepare();

    const { code, stderr } = await run(['reindex'], { env: { MNEME_STATIC_EMBEDDER: 'false' } });

    expect(code).not.toBe(0);
    expect(stderr).toMatch('embedding model');
    expect(stderr).toMatch('static_embedder is false (environment MNEME_STATIC_EMBEDDER)');
    expect(stderr).toMatch('Set static_embedder to true');
  });

  it('makes the vectors of the table again where all are asked for', async () => {
    const { home, run } = await prepare();
    const open = await loadSqlite();
    const read = (statement: string) => {
      const db = open(storePath(join(home, '.local/share/mneme')));
      try {
        return db.prepare(statement).all();
      } finally {
        db.close();
      }
    };
    const made = read('select position, vector from vectors');
    read('update vectors set vector = zeroblob(length(vector)) returning position');

    await run(['reindex']);
    const kept = read('select position, vector from vectors');
    const { code } = await run(['reindex', '--all']);

    expect(made).toHaveLength(1);
    expect(kept).not.toEqual(made);
    expect(code).toBe(0);
    expect(read('select position, vector from vectors')).toEqual(made);
  });
});

describe('mneme doctor', () => {
  it('asks the model, and tells how many memories it has seen', async () => {
    const { run, server, env } = await prepare();
    await run(['reindex'], { env });

    const { stdout } = await run(['doctor'], { env });
    server.reply = () => ({ status: 404 });
    const away = await run(['doctor'], { env });

    expect(stdout).toMatch(/Embeddings +small, 64 dimensions: 1 of 1 memories/);
    expect(stdout).toMatch(/Embedding model +small answers: 64 dimensions,\s+reliability \d+%/);
    expect(away.code).toBe(1);
    expect(away.stdout).toMatch(/check embedder_url\s+and embedder_model/);
  });
});
