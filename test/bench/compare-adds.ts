import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { load } from './http-load.ts';
import { key, type Server, startService } from './rest-servers.ts';
import { percentile } from './statistics.ts';
import { milliseconds, perSecond } from './table.ts';

type Loads = { url: string; folder: string; connections: number; seconds: number };

/** What is added, durably, by one and by three servers on a new database, and by one on a file. */
export async function measureAdds({ url, folder, ...flags }: Loads): Promise<string[][]> {
  const database = await createDatabase(url);
  const place = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const onServer = (name: string) => startService(place(name), 'full', { database_url: database });
  const first = await onServer('first');
  const others = [await onServer('second'), await onServer('third')];
  const file = await startService(place('file'), 'full');
  const all = [first, ...others];
  try {
    for (const servers of [all, [file]]) await addTo(servers, { ...flags, seconds: 1 });
    const [one, three, ofFile] = [
      await addTo([first], flags),
      await addTo(all, flags),
      await addTo([file], flags),
    ];
    return [
      ['adds a second, one server', '', one.rate, '', ofFile.rate],
      ['adds a second, three servers', '', three.rate, '', ''],
      ['an add, one server, ms', '', one.ms, '', ofFile.ms],
      ['an add, three servers, ms', '', three.ms, '', ''],
    ];
  } finally {
    await Promise.all([...all, file].map((server) => server.stop()));
  }
}

async function createDatabase(url: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  await client.query('drop database if exists bench_adds with (force)');
  await client.query(`create database bench_adds encoding 'UTF8' template template0`);
  await client.end();
  return Object.assign(new URL(url), { pathname: '/bench_adds' }).href;
}

let added = 0;

/** Each text is new: one that is known would not be stored. */
function adding() {
  added += 1;
  const content = `Measured fact number ${added} about a green kettle in Lisbon`;
  const body = { messages: [{ role: 'user', content }], user_id: `user-${added % 100}` };
  return { method: 'POST', path: '/v1/memories/', key, body: { ...body, infer: false } };
}

/** The connections are shared out among the servers. */
async function addTo(
  servers: readonly Server[],
  { connections, seconds }: Pick<Loads, 'connections' | 'seconds'>,
): Promise<{ rate: string; ms: string }> {
  const each = Math.max(1, Math.round(connections / servers.length));
  const parts = await Promise.all(
    servers.map(({ url }) => load({ url, connections: each, seconds, request: adding })),
  );
  const failed = parts.reduce((sum, { errors }) => sum + errors, 0);
  if (failed > 0) throw new Error(`${failed} adds failed`);
  const ms = parts.flatMap((part) => part.ms);
  const longest = Math.max(...parts.map((part) => part.seconds));
  return {
    rate: perSecond(ms.length, longest * 1000),
    ms: `${milliseconds(percentile(ms, 50))} / ${milliseconds(percentile(ms, 95))}`,
  };
}
