import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { now } from '../storage/memory.ts';
import { makeFolder, open } from '../storage/support.ts';
import { databaseOf } from '../support/database.ts';
import { pause } from '../support/pause.ts';

/**
 * Where the connection of a commit breaks; `during` it, the database commits 300 ms later, and `last`
 * it has answered, but for its last word.
 */
export type Break = 'before' | 'during' | 'after' | 'last';

export async function openThroughProxy({ statement_timeout_ms }: Limit = {}) {
  const folder = await makeFolder();
  const { database } = await databaseOf(folder);
  if (database === undefined) throw new Error('these tests need a server');
  const url = new URL(database.url);
  const { port, ...control } = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const limit = statement_timeout_ms === undefined ? {} : { statement_timeout_ms };
  const store = await open(folder, { database: { ...database, ...limit, url: url.href } });
  onTestFinished(() => store.close());
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  return { store, project, ...control };
}

type Limit = { statement_timeout_ms?: number };

/** "Ready for query": its letter, its length and how the transaction stands. */
const lastWordBytes = 6;

/** Passes everything on, until the next commit after `breakNext`: that breaks its connection. */
async function startProxy(database: { host: string; port: number }) {
  let next: Break | null = null;
  let commits = 0;
  const sockets = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => {}); // its end is what is tested
  };
  const server = createServer((client) => {
    const upstream = keep(connect(database));
    keep(client).on('close', () => upstream.end());
    upstream.on('data', (data) => client.write(data));
    client.on('data', (data) => {
      if (frozen.has(client)) return;
      const isCommit = data.includes('commit\0');
      if (isCommit) commits += 1;
      const when = isCommit ? next : null;
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
      if (when === 'last') {
        upstream.removeAllListeners('data').once('data', (answer) => {
          client.end(answer.subarray(0, -lastWordBytes));
        });
        upstream.write(data);
        return;
      }
      client.destroy();
      if (when === 'before') upstream.destroy();
      else void pause(300).then(() => upstream.write(data)); // longer than a new connection takes
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
    /** How many commits went to the database. */
    commits: () => commits,
    breakNext: (when: Break) => {
      next = when;
    },
    /** The connections that there are carry nothing any more, and nobody says so. */
    freeze: () => {
      for (const socket of sockets) frozen.add(socket);
    },
  };
}
