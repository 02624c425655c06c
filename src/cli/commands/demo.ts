import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load-config.ts';
import { isObject } from '../../contract/is-object.ts';
import { instructions } from '../../mcp/instructions.ts';
import { callTool } from '../../mcp/tools/call-tool.ts';
import { createToolServer, type ToolServer } from '../../mcp/tools/tool-call.ts';
import type { RunCommand } from '../command-line/command.ts';
import { requirePositionals } from '../command-line/read-arguments.ts';
import { withApp } from '../context/with-app.ts';
import { conversations, questions } from '../demo/conversations.ts';
import { startCommand, typedCommand } from '../init/start-command.ts';
import { print } from '../io/output.ts';
import { describeTerminal, paint, type Style } from '../io/terminal.ts';
import { mcpOptions } from './stdio.ts';

type RecalledItem = { id?: string; memory?: string };
type ToolData = { status?: string; event_id?: string; results?: RecalledItem[] };
type CallOfAgent = (tool: string, args: Record<string, unknown>) => Promise<ToolData>;

/**
 * An agent's calls on a memory of its own, and what the agent reads: three conversations are
 * stored, facts are recalled, and one changes. Fails if a result is not as expected.
 */
export const run: RunCommand = async ({ positionals }) => {
  requirePositionals(positionals);
  const folder = mkdtempSync(join(tmpdir(), 'mneme-demo-'));
  try {
    await demonstrate(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  printEnd();
  return 0;
};

/** On a store of its own: neither files nor variables of this machine are read. */
async function demonstrate(folder: string): Promise<void> {
  const config = join(folder, 'demo.config.json');
  writeFileSync(config, JSON.stringify({ data_dir: join(folder, 'data'), user_id: 'mara' }));
  const loaded = await loadConfig({ config }, { env: {}, cwd: folder });
  return withApp(loaded, async (app, log) => {
    const options = mcpOptions(app, loaded, log);
    const toolServer = createToolServer(options);
    const { tools } = toolServer;
    title('An agent connects');
    print(`The server says to it:\n\n${quoted(instructions(options))}\n`);
    print(`It offers ${tools.names.length} tools: ${tools.names.join(', ')}.\n`);
    const call = createAgent(toolServer);
    await tell(call);
    await recall(call);
    await correct(call);
  });
}

function createAgent(toolServer: ToolServer): CallOfAgent {
  const context = {
    ...toolServer,
    signal: new AbortController().signal,
    confirmation: { elicits: false, answer: null, state: undefined },
  };
  return async (tool, args) => {
    print(`${styled('bold', tool)} ${JSON.stringify(args, null, 2)}\n`);
    const result = await callTool({ name: tool, arguments: args }, context);
    const parts = 'content' in result && Array.isArray(result.content) ? result.content : [];
    print(`${quoted(parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'))}\n`);
    if (result.isError === true) throw new Error(`${tool} was refused`);
    return isObject(result.structuredContent) ? result.structuredContent : {};
  };
}

/** Sends whole conversations, of which facts are stored. */
async function tell(call: CallOfAgent): Promise<void> {
  for (const { about, ...conversation } of conversations) {
    title(about);
    const { status } = await call('add_memory', conversation);
    check(status === 'SUCCEEDED', 'the facts of the conversation are stored');
  }
  title('What is kept: facts, without greetings, thanks and questions');
  const { results = [] } = await call('get_memories', {});
  const small = results.filter(({ memory }) => /^(hi|hello|hey|thank)|\?$/i.test(memory ?? ''));
  check(small.length === 0, 'no greeting and no question is kept');
}

async function recall(call: CallOfAgent): Promise<void> {
  title('Another day, a new conversation: the agent asks its memory');
  for (const { query, answer } of questions) {
    const { results = [] } = await call('search_memories', { query, top_k: 3 });
    const [best] = results;
    if (answer === null) check(best === undefined, 'what was never said is not found');
    else check(best?.memory?.includes(answer) ?? false, `the best match says "${answer}"`);
  }
}

async function correct(call: CallOfAgent): Promise<void> {
  title('"The swimming class has moved to Thursdays": the agent corrects what it knows');
  const query = 'When is the swimming class?';
  const { results: [old] = [] } = await call('search_memories', { query, top_k: 1 });
  const text = 'My swimming class is on Thursdays at eight in the evening.';
  await call('update_memory', { memory_id: old?.id, text });
  const { results: memories = [] } = await call('search_memories', { query });
  check(memories[0]?.memory === text, 'the new day is found');
  check(!memories.some(({ memory }) => memory?.includes('Tuesdays')), 'the old day is not');
  const { results: history = [] } = await call('get_history', { memory_id: old?.id });
  check(history.length === 2, 'the history holds the old and the new text');
}

function check(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`the demo expected that ${what}`);
  print(styled('green', `✓ ${what}\n`));
}

function title(text: string): void {
  const { columns } = describeTerminal();
  print(`${styled('bold', `── ${text} ${'─'.repeat(Math.max(4, columns - text.length - 4))}`)}\n`);
}

function quoted(text: string): string {
  return text.replace(/^/gm, `${styled('dim', '│')} `);
}

function styled(style: Style, text: string): string {
  return paint(text, style, describeTerminal());
}

function printEnd(): void {
  title('All as expected. Your turn');
  print(`The memories of the demo were in a temporary folder, which is gone now.
Connect the clients on this machine:

  ${typedCommand()} init

For other clients, add this to their list of MCP servers:

${JSON.stringify({ mcpServers: { mneme: startCommand() } }, null, 2)}`);
}
