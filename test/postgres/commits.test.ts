import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeMemory, now } from '../storage/memory.ts';
import { makeAnswer } from '../storage/records.ts';
import { makeFolder, open } from '../storage/support.ts';
import { databaseOf, isPostgres } from '../support/database.ts';

/** Where the connection of a commit breaks; `during` it, the database commits 300 ms later. */
type Break = 'before' | 'during' | 'after';

const meanwhile = { status: 409, headers: {}, body: '' };

describe.skipIf(!isPostgres)('a commit whose connection breaks', () => {
  it.each<Break>(['during', 'after'])(
    'is known to have succeeded where a request reserved its answer: %s it',
    async (when) => {
      const { store, project, breakNext } = await openThroughProxy();
      const reserved = makeAnswer();
      await store.answers.reserve(reserved);

      const result = await store.carryOut({ reserved, meanwhile }, () =>
        store.transaction(async (tx) => {
          await tx.memories.insert(project, [makeMemory({ id: 'm' })]);
          breakNext(when);
          return 'stored';
        }),
      );

      expect(result).toBe('stored');
      expect(await store.memories.find(project, 'm')).toMatchObject({ id: 'm' });
      expect(await store.answers.release(reserved)).toBe(false);
      expect(await store.answers.reserve(reserved)).toStrictEqual({ ...reserved, ...meanwhile });
    },
  );

  it('that the database never got leaves the key free', async () => {
    const { store, project, breakNext } = await openThroughProxy();
    const reserved = makeAnswer();
    await store.answers.reserve(reserved);

    const failing = store.carryOut({ reserved, meanwhile }, () =>
      store.transaction(async (tx) => {
        await tx.memories.insert(project, [makeMemory({ id: 'm' })]);
        breakNext('before');
      }),
    );

    await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.memories.find(project, 'm')).toBeNull();
    expect(await store.answers.reserve(reserved)).toBeNull();
  });

  it('is an error without a reserved answer', async () => {
    const { store, project, breakNext } = await openThroughProxy();

    const failing = store.transaction(async (tx) => {
      await tx.memories.find(project, 'm');
      breakNext('after');
    });

    await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
  });
});

async function openThroughProxy() {
  const folder = await makeFolder();
  const { database } = await databaseOf(folder);
  if (database === undefined) throw new Error('these tests need a server');
  const url = new URL(database.url);
  const { port, breakNext } = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const store = await open(folder, { database: { ...database, url: url.href } });
  onTestFinished(() => store.close());
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  return { store, project, breakNext };
}

/** Passes everything on, until the next commit after `breakNext`: that breaks its connection. */
async function startProxy(database: { host: string; port: number }) {
  let next: Break | null = null;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => {}); // its end is what is tested
  };
  const server = createServer((client) => {
    const upstream = keep(connect(database));
    keep(client).on('close', () => upstream.end());
    upstream.on('data', (data) => client.write(data));
    client.on('data', (data) => {
      const when = data.includes('commit\0') ? next : null;
      if (when === null) {
        upstream.write(data);
        return;
      }
      next = null;
      client.removeAllListeners('close');
      if (when === 'after') {
        upstream.removeAllListeners('data').once('data', () => client.destroy());
        upstream.write(data);
        return;
      }
      client.destroy();
      if (when === 'before') upstream.destroy();
      else setTimeout(() => upstream.write(data), 300);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on TCP');
  return {
    port: address.port,
    breakNext: (when: Break) => {
      next = when;
    },
  };
}
