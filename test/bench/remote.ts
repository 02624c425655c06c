// What remote mode costs a call: `npm run bench:remote`. What is compared, flags and results: README.md.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, mneme, type Program, type Tools, withFolder } from './client.ts';
import { fillMneme, user_id } from './fill-store.ts';
import { listening } from './http-server.ts';
import { makeSentences } from './sentences.ts';
import { percentile, timed } from './statistics.ts';
import { milliseconds, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '500' },
  },
});
const calls = Number(flags.calls);
/** The ways take turns call by call, so that noise meets all alike; the first calls do not count. */
const warmUp = 50;
const key = 'mk_bench_0123456789abcdefghijklmnop';

const titles: Readonly<Record<string, string>> = {
  fetch: 'fetch to the server',
  remote: 'tool, remote mode',
  embedded: 'tool, embedded',
};

/** One question, and the ways on which it is asked; each answers text that must hold `holds`. */
type Question = { name: string; holds: string; ways: Record<string, () => Promise<string>> };

await withFolder(async (folder) => {
  const [far, near, empty] = ['far', 'near', 'empty'].map((name) => folderIn(folder, name));
  const sentences = makeSentences(Number(flags.memories), 1);
  for (const store of [far, near]) await fillMneme(store ?? '', sentences);
  const server = await listening(served(far ?? ''));
  const env = { MNEME_BASE_URL: server.url, MNEME_API_KEY: key };
  const program = mneme(empty ?? '');
  const remote = await connect({ ...program, env: { ...program.env, ...env } });
  const embedded = await connect(mneme(near ?? ''));

  const { phrase = '' } = sentences.at(-1) ?? {};
  const questions = [
    await gets({ server: server.url, remote, embedded }, phrase),
    searches({ server: server.url, remote, embedded }, phrase),
    adds({ server: server.url, remote, embedded }),
  ];
  const rows: string[][] = [];
  for (const question of questions) rows.push(...(await measure(question)));
  await Promise.all([remote.close(), embedded.close()]);
  await server.end();

  console.log(`\n${flags.memories} memories, ${calls} calls, Node ${process.version}\n`);
  console.log(table(['one call after the other', 'p50 ms', 'p95 ms', 'over fetch, p50'], rows));
});

function folderIn(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

function served(store: string): Program {
  const { args, env } = mneme(store, ['--port', '0']);
  const [cli = '', ...rest] = args;
  // The command comes first.
  return { args: [cli, 'serve', ...rest], env: { ...env, MNEME_BOOTSTRAP_KEY: key } };
}

type Ways = { server: string; remote: Tools; embedded: Tools };

async function gets({ server, remote, embedded }: Ways, phrase: string): Promise<Question> {
  const idIn = async (tools: Tools) => {
    const { text } = await tools.call('search_memories', { query: phrase, user_id });
    const [id] = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(text) ?? [];
    if (id === undefined) throw new Error(`nothing found: ${text.slice(0, 500)}`);
    return id;
  };
  const [far, near] = [await idIn(remote), await idIn(embedded)];
  return question('get_memory', phrase, {
    fetch: () => ask(server, 'GET', `/v1/memories/${far}/`),
    remote: () => textOf(remote, 'get_memory', { memory_id: far }),
    embedded: () => textOf(embedded, 'get_memory', { memory_id: near }),
  });
}

function searches({ server, remote, embedded }: Ways, query: string): Question {
  // What the tool asks for: as many results, and as good ones.
  const body = { query, filters: { user_id }, top_k: 10 };
  return question('search_memories', query, {
    fetch: () => ask(server, 'POST', '/v2/memories/search/', body),
    remote: () => textOf(remote, 'search_memories', { query, user_id, top_k: 10 }),
    embedded: () => textOf(embedded, 'search_memories', { query, user_id, top_k: 10 }),
  });
}

function adds({ server, remote, embedded }: Ways): Question {
  let count = 0;
  const text = () => `Fact number ${count++}`;
  const fields = { infer: false, async_mode: false, user_id };
  return question('add_memory, text', 'Fact number', {
    fetch: () => {
      const messages = [{ role: 'user', content: text() }];
      return ask(server, 'POST', '/v1/memories/', { ...fields, messages });
    },
    remote: () => textOf(remote, 'add_memory', { text: text(), user_id }),
    embedded: () => textOf(embedded, 'add_memory', { text: text(), user_id }),
  });
}

function question(name: string, holds: string, ways: Question['ways']): Question {
  return { name, holds, ways };
}

async function textOf(tools: Tools, name: string, args: Record<string, unknown>): Promise<string> {
  return (await tools.call(name, args)).text;
}

/** The plain request, without a client in between. */
async function ask(url: string, method: string, path: string, body?: object): Promise<string> {
  const answer = await fetch(url + path, {
    method,
    headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.text();
}

async function measure({ name, holds, ways }: Question): Promise<string[][]> {
  const times = Object.entries(ways).map(([way, run]) => ({ way, run, ms: [] as number[] }));
  for (let call = -warmUp; call < calls; call += 1) {
    for (const { way, run, ms: taken } of times) {
      const { value, ms } = await timed(run);
      if (!value.includes(holds)) throw new Error(`${name}, ${way}: ${value.slice(0, 500)}`);
      if (call >= 0) taken.push(ms);
    }
  }
  const [direct] = times;
  return times.map(({ way, ms }) => [
    `${name}: ${titles[way]}`,
    milliseconds(percentile(ms, 50)),
    milliseconds(percentile(ms, 95)),
    way === 'fetch' ? '-' : milliseconds(percentile(ms, 50) - percentile(direct?.ms ?? [], 50)),
  ]);
}
