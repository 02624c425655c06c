import { describe, expect, it } from 'vitest';
import { caller, connectHttp, httpOn, messageOf, post, toolCall } from './http-support.ts';
import { dataOf, scripted, textOf, toolSetOf } from './support.ts';

const list = { results: [], total: 0, page: 1, page_size: 100 };

async function toolsOf(http: ReturnType<typeof httpOn>, query: string): Promise<string[]> {
  const client = await connectHttp(http, { query });
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe('what an address asks for', () => {
  it('is whose memories are meant, and where', async () => {
    const { invoke, calls } = scripted({ get_memories: () => list });
    const query = '?user_id=J%C3%BCrgen&agent_id=cook&org_id=o1&project_id=p1';
    const client = await connectHttp(httpOn(invoke), { query });

    const answer = await client.callTool({ name: 'get_memories', arguments: {} });

    const scope = { user_id: 'Jürgen', agent_id: 'cook', org_id: 'o1', project_id: 'p1' };
    expect(calls[0]?.input).toMatchObject(scope);
    expect(dataOf(answer).scope).toMatchObject(scope);
    expect(client.getInstructions()).toContain('Current user: "Jürgen"');
  });

  it('may come in headers too', async () => {
    const { invoke, calls } = scripted({ get_memories: () => list });
    const headers = { 'X-Mneme-User-Id': 'ada', 'X-Mneme-Toolsets': 'core' };
    const client = await connectHttp(httpOn(invoke), { headers });

    await client.callTool({ name: 'get_memories', arguments: {} });

    expect(calls[0]?.input).toMatchObject({ user_id: 'ada' });
    expect((await client.listTools()).tools).toHaveLength(7);
  });

  it('is a default that a call may override', async () => {
    const { invoke, calls } = scripted({ get_memories: () => list });
    const client = await connectHttp(httpOn(invoke), { query: '?user_id=ada' });

    await client.callTool({ name: 'get_memories', arguments: { user_id: 'bob' } });

    expect(calls[0]?.input).toMatchObject({ user_id: 'bob' });
  });

  it('can lock calls to it', async () => {
    const { invoke, calls } = scripted({ get_memories: () => list });
    const client = await connectHttp(httpOn(invoke), { query: '?user_id=ada&lock_scope=true' });

    const refused = await client.callTool({ name: 'get_memories', arguments: { user_id: 'bob' } });

    expect(textOf(refused)).toContain('locked');
    expect(calls).toEqual([]);
  });

  it.each(['?lock_scope=true', '?user_id=&lock_scope=true'])(
    'cannot lock nothing: %s',
    async (query) => {
      const { invoke, calls } = scripted({ get_memories: () => list });

      await expect(connectHttp(httpOn(invoke), { query })).rejects.toThrow('lock_scope');

      expect(calls).toEqual([]);
    },
  );

  it('is the tools that are offered', async () => {
    const http = httpOn(scripted({}).invoke);

    expect(await toolsOf(http, '?toolsets=core')).toHaveLength(7);
    expect(await toolsOf(http, '?toolsets=core,events&exclude_tools=add_memory')).toHaveLength(8);
    expect(await toolsOf(http, '?tools=search_memories,get_memory')).toHaveLength(2);
    expect(await toolsOf(http, '?read_only=1')).not.toContain('add_memory');
  });

  it.each([
    ['?toolset=core', 'Did you mean \\"toolsets\\"?'],
    ['?toolsets=cor', 'Did you mean \\"core\\"?'],
    ['?tools=add_memry', 'Did you mean \\"add_memory\\"?'],
    ['?exclude_tools=nothing_like_it', 'unknown tool'],
    ['?read_only=maybe', 'must be true or false'],
    ['?user_id=*', 'name one id'],
    [`?user_id=${'x'.repeat(300)}`, 'user_id'],
  ])('is refused when there is no such thing: %s', async (query, says) => {
    const answer = await post(httpOn(scripted({}).invoke), toolCall('get_memories'), { query });

    expect(answer.status).toBe(400);
    expect(JSON.stringify(await messageOf(answer))).toContain(says);
  });
});

describe('what a server is configured to', () => {
  it('is not widened by an address', async () => {
    const options = { toolsets: toolSetOf('core'), exclude_tools: ['delete_memory'] };
    const http = httpOn(scripted({}).invoke, options);

    expect(await toolsOf(http, '?toolsets=core,admin')).toHaveLength(6);
    expect(await toolsOf(http, '?tools=delete_entity')).toEqual([]);
    const readOnly = httpOn(scripted({}).invoke, { read_only: true });
    expect(await toolsOf(readOnly, '?read_only=false')).not.toContain('add_memory');
  });

  it('is not widened by an address where a proxy narrows it in headers', async () => {
    const http = httpOn(scripted({}).invoke);
    const toolsWith = async (headers: Record<string, string>, query: string) => {
      const client = await connectHttp(http, { headers, query });
      return (await client.listTools()).tools.map(({ name }) => name);
    };

    const readOnly = { 'X-Mneme-Read-Only': 'true' };
    expect(await toolsWith(readOnly, '?read_only=false')).not.toContain('add_memory');
    const core = { 'X-Mneme-Toolsets': 'core' };
    expect(await toolsWith(core, '?toolsets=core,events')).toHaveLength(7);
    expect(await toolsWith(core, '?tools=search_memories,delete_entity')).toEqual([
      'search_memories',
    ]);
    const less = { 'X-Mneme-Exclude-Tools': 'add_memory' };
    expect(await toolsWith(less, '?exclude_tools=get_memory')).not.toContain('add_memory');
  });

  it('is the scope that a proxy locks in headers', async () => {
    const http = httpOn(scripted({ get_memories: () => list }).invoke);
    const headers = { 'X-Mneme-Lock-Scope': 'true', 'X-Mneme-User-Id': 'ada' };
    const statusOf = async (query: string) =>
      (await post(http, toolCall('get_memories'), { headers, query })).status;

    expect(await statusOf('?user_id=ada&agent_id=cook')).toBe(200);
    expect(await statusOf('?user_id=bob')).toBe(400);
    expect(await statusOf('?user_id=bob&lock_scope=false')).toBe(400);
    const bobs = toolCall('get_memories', { user_id: 'bob' });
    const answer = await post(http, bobs, { headers, query: '?lock_scope=false' });
    expect((await messageOf(answer)).result?.isError).toBe(true);
  });

  it('is the scope, where that is locked', async () => {
    const options = { scope: { user_id: 'ada' }, lock_scope: true };
    const http = httpOn(scripted({ get_memories: () => list }).invoke, options);
    const call = toolCall('get_memories');

    const answers = await Promise.all(
      ['?user_id=ada', '?agent_id=cook', '?lock_scope=false', '?user_id=bob'].map((query) =>
        post(http, call, { query }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
    const unlocked = { ...call, params: { name: 'get_memories', arguments: { user_id: 'bob' } } };
    const answer = await post(http, unlocked, { query: '?lock_scope=false' });
    expect((await messageOf(answer)).result?.isError).toBe(true);
  });

  it('is not what a key may do: that is less', async () => {
    const reader = { ...caller, read_only: true };
    const client = await connectHttp(httpOn(scripted({}).invoke), {
      caller: reader,
      query: '?read_only=false',
    });

    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('add_memory');
  });
});
