import { beforeEach, describe, expect, it } from 'vitest';
import type { McpOptions } from '../../src/mcp/server.ts';
import { toolRecords } from '../../src/mcp/tools/select-tools.ts';
import {
  callOn,
  connect,
  connectFirst,
  type Elicited,
  optionsFor,
  scripted,
  textOf,
} from './support.ts';

const done = { message: 'done' };
let port: ReturnType<typeof scripted>;

beforeEach(() => {
  const names = toolRecords.map(({ name }) => name);
  port = scripted(Object.fromEntries(names.map((name) => [name, () => done])));
});

const options = (changes: Partial<McpOptions> = {}) => optionsFor(port.invoke, changes);

const webhook_id = '01957f3a-0000-7000-8000-000000000002';
const memory_id = '01957f3a-0000-7000-8000-000000000001';
const url = 'https://collect.example.com/x';
const project_id = 'p';
const ben = { email: 'ben@example.com', role: 'READER' };

/** What a person is asked before it is carried out, with what the question names. */
const approved: [tool: string, args: Record<string, unknown>, named: string[]][] = [
  ['manage_webhook', { action: 'create', url }, [url]],
  ['manage_webhook', { action: 'update', webhook_id, url }, [url, webhook_id]],
  ['manage_webhook', { action: 'update', webhook_id, is_active: true }, [webhook_id]],
  ['manage_webhook', { action: 'rotate_secret', webhook_id }, [webhook_id]],
  ['manage_project', { action: 'add_member', project_id, ...ben }, ['ben@example.com', 'READER']],
  ['manage_project', { action: 'update_member', project_id, ...ben, role: 'OWNER' }, ['OWNER']],
  [
    'manage_project',
    { action: 'remove_member', project_id, email: ben.email },
    ['ben@example.com'],
  ],
  [
    'manage_project',
    { action: 'update', project_id, trust_min: 'unknown' },
    ['trust_min', 'unknown'],
  ],
  [
    'manage_project',
    { action: 'update', project_id, quarantine_flagged: false },
    ['quarantine_flagged'],
  ],
  ['manage_project', { action: 'review', memory_id, decision: 'accept' }, [memory_id]],
  ['manage_organization', { action: 'add_member', org_id: 'o', ...ben }, ['ben@example.com']],
];

const unasked: [tool: string, args: Record<string, unknown>][] = [
  ['manage_webhook', { action: 'list' }],
  ['manage_webhook', { action: 'update', webhook_id, name: 'Chat' }],
  ['manage_webhook', { action: 'update', webhook_id, is_active: false }],
  ['manage_project', { action: 'update', project_id, custom_instructions: 'Only facts' }],
  ['manage_project', { action: 'review', memory_id, decision: 'decline' }],
  ['add_memory', { text: 'Tea', user_id: 'ann' }],
];

const clients = [
  [
    'the newer SDK, older protocol',
    (answer: Elicited, asked: string[]) => connect(options(), 'legacy', { answer, asked }),
  ],
  [
    'the newer SDK, newer protocol',
    (answer: Elicited, asked: string[]) => connect(options(), 'auto', { answer, asked }),
  ],
  [
    'the older SDK',
    (answer: Elicited, asked: string[]) => connectFirst(options(), { answer, asked }),
  ],
] as const;

/** The state that the server sends along with a question about this call. */
async function stateOf(args: Record<string, unknown>): Promise<string> {
  const asking = { elicits: true, answer: null, state: undefined } as const;
  const question = await callOn(options(), asking)('manage_webhook', args);
  const { requestState } = question as unknown as { requestState: string };
  expect(requestState).toMatch(/^\w+\.\S+$/);
  return requestState;
}

describe.each(clients)('a client that shows a form: %s', (_, start) => {
  it.each(approved)('asks its user before %s %j', async (name, args, named) => {
    const asked: string[] = [];
    const yes = await start({ action: 'accept', content: { confirm: true } }, asked);

    const result = await yes.callTool({ name, arguments: args });

    expect(result.isError).toBeFalsy();
    expect(asked).toHaveLength(1);
    for (const text of named) expect(asked[0]).toContain(text);
    expect(port.calls).toHaveLength(1);
  });

  it.each<[string, Elicited]>([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['leaves the box empty', { action: 'accept', content: { confirm: false } }],
  ])('changes nothing when its user %s', async (_action, answer) => {
    const client = await start(answer, []);

    const result = await client.callTool({
      name: 'manage_webhook',
      arguments: { action: 'create', url },
    });

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('nothing was changed');
    expect(port.calls).toEqual([]);
  });

  it.each(unasked)('asks nothing for %s %j', async (name, args) => {
    const asked: string[] = [];
    const client = await start({ action: 'decline' }, asked);

    await client.callTool({ name, arguments: args });

    expect(asked).toEqual([]);
    expect(port.calls.length).toBeGreaterThan(0);
  });
});

describe('a client that can show no form', () => {
  it.each(approved)('carries out %s %j by default', async (name, args) => {
    const result = await callOn(options())(name, args);

    expect(result.isError).toBeFalsy();
    expect(port.calls).toHaveLength(1);
  });

  it.each(approved)('is refused %s %j where approval is required', async (name, args) => {
    const result = await callOn(options({ admin_approval: 'required' }))(name, args);

    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/a person has to approve .* mneme call \w+/s);
    expect(port.calls).toEqual([]);
  });

  it.each(unasked)('may %s %j where approval is required', async (name, args) => {
    await callOn(options({ admin_approval: 'required' }))(name, args);

    expect(port.calls.length).toBeGreaterThan(0);
  });
});

it('nobody is asked where approval is off', async () => {
  const asked: string[] = [];
  const client = await connect(options({ admin_approval: 'off' }), 'auto', {
    answer: { action: 'decline' },
    asked,
  });

  await client.callTool({ name: 'manage_webhook', arguments: { action: 'create', url } });

  expect(asked).toEqual([]);
  expect(port.calls).toHaveLength(1);
});

it.each([
  ['made up', 'abc.def'],
  ['of another call', null],
])('an answer that nobody asked for changes nothing when its state is %s', async (_, made) => {
  const confirmed = { elicits: true, answer: 'confirmed' } as const;
  const state = made ?? (await stateOf({ action: 'create', url: `${url}/other` }));

  const result = await callOn(options(), { ...confirmed, state })('manage_webhook', {
    action: 'create',
    url,
  });

  expect(result.isError).toBe(true);
  expect(port.calls).toEqual([]);
});

it('every tool that changes webhooks or members says whether a person approves it', () => {
  const changing = toolRecords.filter(
    ({ name, tool }) =>
      /webhook|member/.test(name) && !/^(list|get|delete|test)_/.test(name) && tool !== null,
  );

  const without = changing.filter(({ tool }) => tool.approval === undefined);

  expect(changing.length).toBeGreaterThan(6);
  expect(without.map(({ name }) => name)).toEqual([]);
});
