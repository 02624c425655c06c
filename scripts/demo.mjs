// `npm run demo`: an agent's calls on a memory of its own, and what it sees. Three conversations
// are stored through a real MCP client, facts are recalled, one changes. Fails if a result is not
// as expected.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { conversations, questions } from './demo-conversations.mjs';
import { cli, ready } from './ready.mjs';

/** @typedef {{ id?: string, memory?: string }} Item */
/** @typedef {{ status?: string, event_id?: string, results?: Item[] }} Facts */
/** @typedef {(tool: string, args: Record<string, unknown>) => Promise<Facts>} Call */

await ready();
const folder = mkdtempSync(join(tmpdir(), 'mneme-demo-'));
try {
  await demonstrate();
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function demonstrate() {
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'mneme-demo', version: '1.0.0' });
  const log = await connect(client);
  /** @type {Call} */
  const call = async (tool, args) => {
    printCall(tool, args);
    const result = await client.callTool({ name: tool, arguments: args });
    const text = result.content.map((part) => ('text' in part ? part.text : '')).join('\n');
    printAnswer(text);
    if (result.isError) throw new Error(`${tool} was refused`);
    return /** @type {Facts} */ (result.structuredContent);
  };
  try {
    await tell(call);
    await recall(call);
    await correct(call);
  } finally {
    await client.close();
  }
  const errors = log.join('').match(/^.*"level":"error".*$/gm);
  if (errors) throw new Error(`the server logged errors:\n${errors.join('\n')}`);
  printEnd();
}

/** Starts the server for the demo's user, ignoring the configuration of this machine. */
async function connect(/** @type {import('@modelcontextprotocol/client').Client} */ client) {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const config = join(folder, 'demo.config.json');
  writeFileSync(config, JSON.stringify({ data_dir: join(folder, 'data'), user_id: 'mara' }));
  const args = [cli, '--config', config];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  /** @type {string[]} */
  const log = [];
  transport.stderr?.on('data', (chunk) => log.push(String(chunk)));
  await client.connect(transport).catch((cause) => {
    throw new Error(`the server did not start\n${log.join('')}`, { cause });
  });
  const { tools } = await client.listTools();
  title('Connected');
  console.log(`The server says to the agent:\n\n${quoted(client.getInstructions() ?? '')}\n`);
  console.log(`It offers ${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}.\n`);
  return log;
}

/** Sends whole conversations, of which facts are stored. */
async function tell(/** @type {Call} */ call) {
  for (const { about, ...conversation } of conversations) {
    title(about);
    await settled(call, await call('add_memory', conversation));
  }
  title('What is kept: facts, without greetings, thanks and questions');
  const { results = [] } = await call('get_memories', {});
  const small = results.filter(({ memory }) => /^(hi|hello|hey|thank)|\?$/i.test(memory ?? ''));
  check(small.length === 0, 'no greeting and no question is kept');
}

/** A busy server returns PENDING before the facts are stored. */
async function settled(/** @type {Call} */ call, /** @type {Facts} */ { status, event_id }) {
  for (let state = status; state !== 'SUCCEEDED'; ) {
    check(state === 'PENDING' || state === 'RUNNING', 'the conversation is stored');
    await new Promise((resolve) => setTimeout(resolve, 200));
    state = (await call('get_event', { event_id })).status;
  }
}

async function recall(/** @type {Call} */ call) {
  title('Another day, a new conversation: the agent asks its memory');
  for (const { query, answer } of questions) {
    const { results = [] } = await call('search_memories', { query, top_k: 3 });
    const [best] = results;
    if (answer === null) check(best === undefined, 'what was never said is not found');
    else check(best?.memory?.includes(answer) ?? false, `the best match says "${answer}"`);
  }
}

async function correct(/** @type {Call} */ call) {
  title('"The swimming class has moved to Thursdays": the agent corrects what it knows');
  const query = 'When is the swimming class?';
  const { results: [old] = [] } = await call('search_memories', { query, top_k: 1 });
  const text = 'My swimming class is on Thursdays at eight in the evening.';
  await call('update_memory', { memory_id: old?.id, text });
  const { results: found = [] } = await call('search_memories', { query });
  check(found[0]?.memory === text, 'the new day is found');
  check(!found.some(({ memory }) => memory?.includes('Tuesdays')), 'the old day is not');
  const { results: history = [] } = await call('get_history', { memory_id: old?.id });
  check(history.length === 2, 'the history holds the old and the new text');
}

function check(/** @type {boolean} */ isSo, /** @type {string} */ what) {
  if (!isSo) throw new Error(`the demo expected that ${what}`);
  console.log(paint('green', `✓ ${what}\n`));
}

function title(/** @type {string} */ text) {
  console.log(`${paint('bold', `── ${text} ${'─'.repeat(Math.max(4, 80 - text.length))}`)}\n`);
}

function printCall(/** @type {string} */ tool, /** @type {object} */ args) {
  console.log(`${paint('cyan', tool)} ${JSON.stringify(args, null, 2)}\n`);
}

function printAnswer(/** @type {string} */ text) {
  console.log(`${quoted(text)}\n`);
}

function quoted(/** @type {string} */ text) {
  return text.replace(/^/gm, `${paint('dim', '│')} `);
}

function paint(/** @type {'bold' | 'dim' | 'cyan' | 'green'} */ style, /** @type {string} */ text) {
  return process.stdout.isTTY ? styleText(style, text) : text;
}

function printEnd() {
  const server = { command: process.execPath, args: [cli] };
  title('All as expected. Your turn');
  console.log(`The demo's memories were in a temporary folder, which is gone now.
To connect a client, add this to its configuration of MCP servers:

${JSON.stringify({ mcpServers: { mneme: server } }, null, 2)}`);
}
