// The built service under a steady load for long, and what grows: `npm run bench:soak`, 30 minutes,
// or `npm run bench:soak -- 5`. What it does and results: README.md.

import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { StrictOmit } from '../../src/contract/strict-omit.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { pause } from '../support/pause.ts';
import { withFolder } from './client.ts';
import { fillMneme, user_id } from './fill-store.ts';
import type { Request } from './http-load.ts';
import { processState } from './process-state.ts';
import { key, type Server, startService } from './rest-servers.ts';
import { makeSentences } from './sentences.ts';
import { percentile } from './statistics.ts';
import { milliseconds, table } from './table.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    memories: { type: 'string', default: '5000' },
    rate: { type: 'string', default: '20' },
  },
});
const minutes = Number(positionals[0] ?? 30);
if (!(minutes > 0)) throw new Error('the argument is how many minutes it takes, above 0');

/** Rows of the table: parts of the time. */
const parts = 10;

type Part = {
  ms: number[];
  errors: number;
  rss_mb: number;
  descriptors: number;
  wal_mb: number;
  file_mb: number;
  loop_ms: number;
};

/** Ids of what this run added, oldest first: each of them is deleted later. */
const added: string[] = [];

let count = 0;

await withFolder(async (folder) => {
  const sentences = makeSentences(Number(flags.memories), 1);
  await fillMneme(folder, sentences);
  const server = await startService(folder, 'normal');
  const requests = mixOf(sentences);
  await run(server, folder, { requests, seconds: 20 }); // what is loaded at first is not measured
  const measured: Part[] = [];
  for (let part = 0; part < parts; part += 1) {
    measured.push(await run(server, folder, { requests, seconds: (minutes * 60) / parts }));
  }
  await server.stop();
  print(measured, await bytesOfSearches(folder));
});

type Send = { request: Request; onAnswer?: (answer: unknown) => void };

/** Reads and writes that leave as many memories as there were. */
function mixOf(sentences: ReturnType<typeof makeSentences>): (index: number) => Send {
  const post = (path: string, body: object): Send => ({
    request: { method: 'POST', path, key, body },
  });
  const search = (text: string | undefined) =>
    post('/v2/memories/search/', { query: text, filters: { user_id } });
  const add = (index: number): Send => ({
    ...post('/v1/memories/', {
      user_id,
      messages: `Measured fact number ${index} about a green kettle in Lisbon`,
      infer: false,
    }),
    onAnswer: (answer) => added.push(...(answer as { id: string }[]).map(({ id }) => id)),
  });
  const kept = 200;
  const remove = (index: number): Send => {
    const id = added.length > kept ? added.shift() : undefined;
    if (id === undefined) return add(index);
    return { request: { method: 'DELETE', path: `/v1/memories/${id}/`, key } };
  };
  const update = (index: number): Send => {
    const id = added.at(-1);
    if (id === undefined) return add(index);
    const body = { text: `Corrected fact number ${index} about a kettle in Lisbon` };
    return { request: { method: 'PUT', path: `/v1/memories/${id}/`, key, body } };
  };
  const infer = (index: number) =>
    post('/v1/memories/', { user_id: `soak-${index % 50}`, messages: `I moved to Bern again.` });
  const list = () => post('/v2/memories/', { filters: { user_id }, page_size: 20 });
  return (index) => {
    const sentence = sentences[(index * 7919) % sentences.length];
    const kinds = [
      add,
      () => search(sentence?.phrase),
      remove,
      () => search(sentence?.question),
      add,
      list,
      remove,
      () => search(sentence?.phrase),
      update,
      infer,
    ];
    return (kinds[index % kinds.length] ?? list)(index);
  };
}

/** Sends them at the given rate, whether or not those before are answered. */
async function run(
  server: Server,
  folder: string,
  { requests, seconds }: { requests: (index: number) => Send; seconds: number },
): Promise<Part> {
  const ms: number[] = [];
  let errors = 0;
  const running: Promise<void>[] = [];
  const began = performance.now();
  for (let sent = 0; performance.now() - began < seconds * 1000; sent += 1) {
    const due = began + (sent * 1000) / Number(flags.rate);
    await pause(Math.max(0, due - performance.now()));
    const { request, onAnswer } = requests(count++);
    running.push(
      send(server, request, onAnswer).then((took) => {
        if (took === null) errors += 1;
        else ms.push(took);
      }),
    );
  }
  await Promise.all(running);
  return { ms, errors, ...(await stateOf(server, folder)) };
}

/** Milliseconds, or null for an answer other than 2xx. */
async function send(
  { url }: Server,
  { method, path, body }: Request,
  onAnswer: Send['onAnswer'],
): Promise<number | null> {
  const began = performance.now();
  const answer = await fetch(url + path, {
    method,
    headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) return null;
  onAnswer?.(JSON.parse(text));
  return performance.now() - began;
}

async function stateOf(
  { url, pid }: Server,
  folder: string,
): Promise<StrictOmit<Part, 'ms' | 'errors'>> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const [, delay] = /^mneme_event_loop_delay_seconds (\S+)$/m.exec(metrics) ?? [];
  const path = storePath(folder);
  return {
    ...processState(pid),
    wal_mb: sizeOf(`${path}-wal`),
    file_mb: sizeOf(path),
    loop_ms: Number(delay) * 1000,
  };
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size / 1e6 : 0;
}

/** Bytes of the columns of each search's event, largest first. */
async function bytesOfSearches(folder: string): Promise<number[]> {
  const open = await loadSqlite();
  const sqlite = open(storePath(folder), { readOnly: true });
  const all = (sql: string) => sqlite.prepare(sql).all() as Record<string, unknown>[];
  const columns = all("select name from pragma_table_info('events')");
  const sum = columns.map(({ name }) => `coalesce(length(cast("${name}" as blob)), 0)`).join('+');
  const rows = all(
    `select ${sum} as bytes from events where event_type = 'SEARCH' order by bytes desc`,
  );
  sqlite.close();
  return rows.map(({ bytes }) => Number(bytes));
}

function print(measured: readonly Part[], searches: readonly number[]): void {
  const rows = measured.map((part, index) => [
    `${(((index + 1) * minutes) / parts).toFixed(1)}`,
    `${part.ms.length}`,
    `${part.errors}`,
    ...[50, 99].map((share) => milliseconds(percentile(part.ms, share))),
    ...[part.loop_ms, part.rss_mb].map((number) => number.toFixed(0)),
    `${part.descriptors}`,
    ...[part.wal_mb, part.file_mb].map((number) => number.toFixed(1)),
  ]);
  const head = [
    'minute',
    'answers',
    'errors',
    'p50 ms',
    'p99 ms',
    'loop held ms',
    'RSS MB',
    'descriptors',
    'WAL MB',
    'file MB',
  ];
  console.log(table(head, rows));
  console.log(
    `events of ${searches.length} searches: ${milliseconds(percentile(searches, 50))} bytes at ` +
      `the median, ${searches[0]} at most`,
  );
}
