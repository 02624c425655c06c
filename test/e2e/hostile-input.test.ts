import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolNames } from '../support/tool-names.ts';
import { faultOf } from './answer-faults.ts';
import { type HostileCall, hostileCalls, syntaxes } from './hostile-calls.ts';
import { callOverWire, integrityOf, startShared, type Wire } from './support.ts';

/** Bulk deletes act at once here: what a hostile filter lets through must not be everything. */
const flags = ['--no-confirm-destructive', '--add-wait-ms', '200'];
const canary = { text: 'The canary sings', user_id: 'canary', agent_id: 'miner' };

type Listed = { name: string; inputSchema: Parameters<typeof hostileCalls>[0] };

let wire: Wire;
let data_dir: string;
let stop: () => Promise<void>;
let tools: Listed[];
/** Arguments with which each tool succeeds, in one way or several. */
let valid: Record<string, Record<string, unknown>[]>;

beforeAll(async () => {
  ({ wire, data_dir, stop } = await startShared({ flags }));
  const { result } = await wire.request('tools/list');
  tools = result?.tools as Listed[]; // as the protocol says
  await callOverWire(wire, 'add_memory', canary);
  valid = await validCalls();
});
afterAll(() => stop());

it.each(toolNames)(
  '%s returns a clear error or a right result for every hostile value',
  async (name) => {
    const { inputSchema } = tools.find((tool) => tool.name === name) ?? { inputSchema: {} };
    const calls = (valid[name] ?? [{}]).flatMap((args) => hostileCalls(inputSchema, args));

    const problems = await tryAll(name, calls);

    expect(problems).toEqual([]);
    expect(calls.length).toBeGreaterThan(100);
  },
);

it('has tried all tools', () => {
  expect(tools.map(({ name }) => name)).toEqual(toolNames);
});

describe('text with the syntax of SQL or full text search', () => {
  it.each(syntaxes)('like %j is stored as it is, found and filtered by', async (syntax) => {
    const text = `Wrote ${syntax} on a wall`;
    const user_id = `painter ${syntaxes.indexOf(syntax)}`;

    const added = await callOverWire(wire, 'add_memory', { text, user_id });
    const found = await callOverWire(wire, 'search_memories', { query: text, user_id });
    const filters = { AND: [{ user_id }, { text: { contains: syntax } }] };
    const listed = await callOverWire(wire, 'get_memories', { filters });

    expect(added.structuredContent.results).toMatchObject([{ event: 'ADD', memory: text }]);
    expect(found.structuredContent.results).toMatchObject([{ memory: text }]);
    expect(listed.structuredContent.results).toMatchObject([{ memory: text }]);
  });
});

describe('after all this', () => {
  it('the server still works, and nothing was deleted without a request', async () => {
    const { user_id } = canary;

    const { structuredContent } = await callOverWire(wire, 'get_memories', { user_id });

    expect(structuredContent).toMatchObject({ total: 1, results: [{ memory: canary.text }] });
  });

  it('the file is sound', async () => {
    expect(await integrityOf(data_dir)).toEqual(['ok']);
  });

  it('nothing was logged as a failure of the server', () => {
    expect(wire.stderr()).not.toContain('request failed');
    expect(wire.stderr()).not.toContain('"level":"error"');
  });
});

async function tryAll(name: string, calls: readonly HostileCall[]): Promise<string[]> {
  const problems: string[] = [];
  for (let at = 0; at < calls.length; at += 20) {
    const some = calls.slice(at, at + 20);
    const found = await Promise.all(
      some.map(async ({ about, json }, index) => {
        const id = `${name} ${at + index}`;
        const params = `{"name":${JSON.stringify(name)},"arguments":${json}}`;
        wire.write(`{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":${params}}\n`);
        const problem = faultOf(await wire.answerTo(id), data_dir);
        return problem === null ? [] : [`${about.slice(0, 120)} -> ${problem}`];
      }),
    );
    problems.push(...found.flat());
  }
  return problems;
}

async function validCalls(): Promise<typeof valid> {
  const { structuredContent } = await callOverWire(wire, 'add_memory', { text: 'The victim' });
  const [stored] = structuredContent.results as { id: string }[];
  const memory_id = stored?.id;
  return {
    add_memory: [
      { text: 'A harmless fact' },
      { messages: [{ role: 'user', content: 'I drink tea' }], infer: false },
      { messages: [{ role: 'user', content: 'I drink green tea at work.' }] },
    ],
    search_memories: [{ query: 'harmless' }],
    get_memory: [{ memory_id }],
    update_memory: [{ memory_id, text: 'The victim, updated' }],
    delete_memory: [{ memory_id }],
    batch_update_memories: [{ memories: [{ memory_id, text: 'The victim, in a batch' }] }],
    batch_delete_memories: [{ memory_ids: [memory_id] }],
    get_history: [{ memory_id }],
    add_feedback: [{ memory_id, feedback: 'POSITIVE' }],
    create_export: [{ schema: { type: 'object', properties: { name: { type: 'string' } } } }],
    // An address that webhooks may not have, so that nothing is ever sent.
    manage_webhook: [{ action: 'list' }, { action: 'create', url: 'https://127.0.0.1/hook' }],
    manage_organization: [{ action: 'list' }, { action: 'create', name: 'Acme' }],
    manage_project: [{ action: 'get' }, { action: 'list_members' }],
    delete_entity: [{ entity_type: 'user', entity_id: 'nobody' }],
    get_event: [{ event_id: structuredContent.event_id }],
  };
}
