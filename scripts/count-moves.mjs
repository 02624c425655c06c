// How far a reader has to jump to follow one call: `npm run count:moves [-- --list]` starts the
// server on a new SQLite file, calls it over MCP, and counts for each call
//
//   files      the source files of src of which a function runs;
//   moves      how often a function is entered whose file differs from that of the function
//              entered before it. Returns, top-level code and packages are not counted, but
//              functions of ours that packages call are;
//   functions  the different functions that run.
//
// Counting begins when the request is sent and ends when its response is written, so background
// work counts as long as the call waits for it. Each kind of call is made once before, so that
// one-time loading is not counted. Inferred adds poll at intervals, which differ from run to run:
// of several rounds, the one with the fewest moves is shown.
//
// Options:
//   --list          also prints the most frequent moves with the functions they enter, and files
//   --path          also prints the path through the files in order, with the functions entered
//   --top NUMBER    how many moves to list (default 40)
//   --rounds NUMBER how many servers to start, one after the other (default 3)
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { installed, root } from './ready.mjs';

/** @typedef {{ file: string, name: string }} TracedFunction */
/** @typedef {{ name: string, arguments: Record<string, unknown> }} ToolCall */
/** @typedef {Record<string, TracedFunction[]>} Records what each call entered, in order */

const { values: flags } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    path: { type: 'boolean', default: false },
    top: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
  },
});

const user_id = 'anna';
/** @type {ToolCall[]} */
const before = [
  addText('Anna likes green tea in the morning'),
  addMessage('I work as a nurse in Porto.'),
  search('What does Anna drink?'),
];
/** @type {Record<string, ToolCall>} */
const calls = {
  'add_memory with text': addText('Anna moved to Lisbon in March'),
  'add_memory with messages': addMessage('I love hiking in the mountains.'),
  search_memories: search('tea in the morning'),
};

/** Long enough for background work after a response. */
const quietMs = 500;

await installed();
const folder = join(root, '.build', `moves-${process.pid}`);
mkdirSync(folder, { recursive: true });
try {
  const functions = await buildTraced(folder);
  /** @type {Records[]} */
  const rounds = [];
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    rounds.push(await trace(folder, functions));
  }
  print(Object.keys(calls).map((call) => ({ call, entered: shortest(rounds, call) })));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {ToolCall} */
function addText(/** @type {string} */ text) {
  return { name: 'add_memory', arguments: { text, user_id } };
}

/** @returns {ToolCall} */
function addMessage(/** @type {string} */ content) {
  return { name: 'add_memory', arguments: { messages: [{ role: 'user', content }], user_id } };
}

/** @returns {ToolCall} */
function search(/** @type {string} */ query) {
  return { name: 'search_memories', arguments: { query, user_id } };
}

/** Bundles the program with a call at the start of each function; returns the functions by id. */
async function buildTraced(/** @type {string} */ outdir) {
  /** @type {TracedFunction[]} */
  const functions = [];
  await build({
    absWorkingDir: root,
    tsconfig: join(root, 'tsconfig.json'),
    entryPoints: { program: 'scripts/traced-program.mjs' },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { MNEME_VERSION: JSON.stringify('0.0.0') },
    logLevel: 'warning',
    plugins: [
      {
        name: 'trace',
        setup: ({ onLoad }) => {
          onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
            const source = { file: nameOfFile(path), text: readFileSync(path, 'utf8') };
            return { contents: traced(source, functions), loader: 'ts' };
          });
        },
      },
    ],
  });
  return functions;
}

function nameOfFile(/** @type {string} */ path) {
  return relative(join(root, 'src'), path).replaceAll(sep, '/');
}

/**
 * The source with `__entered(ID)` at the start of each function.
 *
 * @param {{ file: string, text: string }} source
 * @param {TracedFunction[]} functions where new ones are put
 */
function traced({ file, text }, functions) {
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {{ at: number, code: string }[]} */
  const inserted = [];
  /** @returns {void} */
  const visit = (/** @type {ts.Node} */ node) => {
    ts.forEachChild(node, visit);
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
    if (body === undefined) return;
    const call = `__entered(${functions.length})`;
    functions.push({ file, name: nameOf(node) });
    const at = body.getStart(parsed);
    if (ts.isBlock(body)) inserted.push({ at: at + 1, code: `${call};` });
    else inserted.push({ at, code: `(${call},(` }, { at: body.end, code: '))' });
  };
  visit(parsed);
  inserted.sort((a, b) => a.at - b.at);
  const parts = inserted.map(({ at, code }, index) => {
    return text.slice(inserted[index - 1]?.at ?? 0, at) + code;
  });
  return parts.join('') + text.slice(inserted.at(-1)?.at ?? 0);
}

/** Its own name, or that of its parent: `readAll` for a callback inside it. */
function nameOf(/** @type {ts.Node} */ node) {
  for (let part = node; part !== undefined; part = part.parent) {
    const { name } = /** @type {{ name?: ts.Node }} */ (part);
    if (name !== undefined && ts.isIdentifier(name)) return name.text;
  }
  return 'default';
}

/**
 * Starts the server on a new file and makes the calls.
 *
 * @param {string} folder of the traced program
 * @param {TracedFunction[]} functions
 */
async function trace(folder, functions) {
  const data_dir = mkdtempSync(join(tmpdir(), 'mneme-moves-'));
  const server = start(join(folder, 'program.mjs'), data_dir);
  try {
    await server.answerTo('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'count-moves', version: '1.0.0' },
    });
    server.send({ method: 'notifications/initialized' });
    for (const call of before) await server.answerTo('tools/call', call);
    /** @type {Records} */
    const records = {};
    for (const [name, call] of Object.entries(calls)) {
      await sleep(quietMs);
      await server.told('record');
      const [ids] = await Promise.all([server.told(), server.answerTo('tools/call', call)]);
      records[name] = ids.flatMap((id) => functions[id] ?? []);
    }
    return records;
  } finally {
    await server.end();
    rmSync(data_dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * A server that speaks MCP over its pipes, and reports its records to this process.
 *
 * @param {string} program
 * @param {string} data_dir
 */
function start(program, data_dir) {
  const child = spawn(process.execPath, [program, '--data-dir', data_dir], {
    cwd: data_dir,
    env: environment(join(data_dir, 'home')),
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('the server has no pipes');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let id = 0;

  const send = (/** @type {Record<string, unknown>} */ message) => {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const answerTo = async (/** @type {string} */ method, /** @type {object} */ params) => {
    id += 1;
    send({ id, method, params });
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the server ended before it answered');
      const message = JSON.parse(value);
      if (message.id !== id) continue;
      if (message.error || message.result.isError) throw new Error(`refused: ${value}`);
      return;
    }
  };
  /** Sends a message, if any, and waits for the next one from the program. */
  const told = (/** @type {string} */ message = '') => {
    /** @type {Promise<number[]>} */
    const next = new Promise((resolve) => child.once('message', (ids) => resolve(numbers(ids))));
    if (message !== '') child.send(message);
    return next;
  };
  const end = async () => {
    child.disconnect();
    stdin.end();
    await exited;
  };
  return { send, answerTo, told, end };
}

/** Settings of this shell must not affect the result. */
function environment(/** @type {string} */ home) {
  const own = Object.entries(process.env).filter(([name]) => !/^(MNEME|NODE_|npm)/.test(name));
  const folders = { APPDATA: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  return { ...Object.fromEntries(own), HOME: home, USERPROFILE: home, ...folders };
}

/** @returns {number[]} */
function numbers(/** @type {unknown} */ message) {
  return Array.isArray(message) ? message : [];
}

/**
 * The record with the fewest moves of all rounds.
 *
 * @param {Records[]} rounds
 * @param {string} call
 */
function shortest(rounds, call) {
  const records = rounds.map((records) => records[call] ?? []);
  return records.reduce((best, next) =>
    movesOf(next).length < movesOf(best).length ? next : best,
  );
}

/** @returns {{ from: string, to: string, name: string }[]} */
function movesOf(/** @type {TracedFunction[]} */ entered) {
  return entered.flatMap(({ file, name }, index) => {
    const from = entered[index - 1]?.file ?? file;
    return from === file ? [] : [{ from, to: file, name }];
  });
}

function print(/** @type {{ call: string, entered: TracedFunction[] }[]} */ results) {
  printRow('call', ['files', 'moves', 'functions']);
  for (const { call, entered } of results) {
    const files = new Set(entered.map(({ file }) => file)).size;
    printRow(call, [files, movesOf(entered).length, new Set(entered).size]);
  }
  if (flags.list) for (const result of results) printList(result);
  if (flags.path) for (const result of results) printPath(result);
}

/**
 * @param {string} call
 * @param {(string | number)[]} counts
 */
function printRow(call, counts) {
  console.log(call.padEnd(28) + counts.map((count) => String(count).padStart(11)).join(''));
}

function printList(/** @type {{ call: string, entered: TracedFunction[] }} */ { call, entered }) {
  const moves = movesOf(entered);
  const pairs = countsOf(moves.map(({ from, to }) => `${from} -> ${to}`));
  console.log(`\n${call}: moves\n`);
  for (const [pair, count] of pairs.slice(0, Number(flags.top))) {
    const names = moves.filter(({ from, to }) => `${from} -> ${to}` === pair);
    const entries = countsOf(names.map(({ name }) => name)).map(([name, times]) => {
      return times === 1 ? name : `${name} ${times}`;
    });
    console.log(`${String(count).padStart(5)}  ${pair}: ${entries.join(', ')}`);
  }
  console.log(`\n${call}: functions entered in each file\n`);
  for (const [file, count] of countsOf(entered.map(({ file }) => file))) {
    console.log(`${String(count).padStart(5)}  ${file}`);
  }
}

function printPath(/** @type {{ call: string, entered: TracedFunction[] }} */ { call, entered }) {
  console.log(`\n${call}: the way`);
  let current = '';
  for (const { file, name } of entered) {
    const part = file === current ? `, ${name}` : `\n${file}: ${name}`;
    process.stdout.write(part);
    current = file;
  }
  console.log();
}

/**
 * The number of occurrences of each name, most frequent first.
 *
 * @param {readonly string[]} names
 */
function countsOf(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
