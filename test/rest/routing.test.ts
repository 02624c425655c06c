import { describe, expect, it } from 'vitest';
import { operationRoutes } from '../../src/rest/operations/router.ts';
import { bodyOf, clientOf } from './support.ts';

const id = '11111111-1111-4111-8111-111111111111';
const memory = () => ({ id, memory: 'tea' });

describe('a path', () => {
  it.each(operationRoutes.map(({ name, route }) => [route.method, route.path, name] as const))(
    '%s %s reaches %s, with and without the last slash',
    async (method, path, name) => {
      const { send, calls } = clientOf({ [name]: () => ({}) });
      const filled = path.replace('{entity_type}', 'user').replaceAll(/\{\w+\}/g, id);
      const body = method === 'GET' ? undefined : { user_id: 'alice' };
      const query = method === 'GET' ? '?user_id=alice' : '';
      const input = { ...body, filters: { user_id: 'alice' } };

      await send(method, filled + query, { body: body && input });
      await send(method, filled.replace(/\/$/, '') + query, { body: body && input });

      expect(calls.map((call) => call.name)).toEqual([name, name]);
    },
  );

  it('keeps an encoded slash as a part of the id', async () => {
    const { send, calls } = clientOf({ delete_entity: () => ({}) });

    await send('DELETE', '/v2/entities/user/al%20ice%2Fx%252F/');

    expect(calls[0]?.input).toMatchObject({ entity_type: 'user', entity_id: 'al ice/x%2F' });
  });

  it('with an empty segment is nobody’s', async () => {
    const { send, calls } = clientOf({});

    expect((await send('DELETE', '/v1/memories//?user_id=alice')).status).toBe(404);
    expect(calls).toEqual([]);
  });

  it('that is malformed is a 400', async () => {
    const { send } = clientOf({});

    expect((await send('GET', '/v1/memories/%E0%A4/')).status).toBe(400);
  });

  it('prefers words over placeholders', async () => {
    const { send, calls } = clientOf({ search_memories: () => ({ results: [] }) });

    await send('POST', '/v1/memories/search/', { body: { query: 'tea' } });

    expect(calls.map(({ name }) => name)).toEqual(['search_memories']);
  });

  it('lists the memories of an entity only for the four kinds', async () => {
    const { send, calls } = clientOf({ get_memories: () => ({ results: [] }) });

    const answers = ['user', 'agent', 'app', 'run'].map((kind) =>
      send('GET', `/v1/memories/${kind}/alice/`),
    );

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(calls[1]?.input).toMatchObject({ entity_type: 'agent', entity_id: 'alice' });
  });

  it('leaves a wrong kind of entity to the operation where no other path is meant', async () => {
    const { send, calls } = clientOf({
      delete_entity: () => ({}),
      get_memories: () => ({ results: [] }),
      get_history: () => ({ results: [] }),
    });

    await send('DELETE', '/v2/entities/pet/rex/');
    await send('GET', '/v1/memories/pet/rex/');
    await send('GET', '/v1/memories/pet/history/');

    expect(calls.map(({ input }) => input)).toMatchObject([
      { entity_type: 'pet', entity_id: 'rex' },
      { entity_type: 'pet', entity_id: 'rex' },
      { memory_id: 'pet' },
    ]);
  });

  it('that nobody knows is a 404 with the text under every key', async () => {
    const answer = await clientOf({}).send('GET', '/v9/nothing/');

    expect(answer.status).toBe(404);
    expect(await bodyOf(answer)).toEqual({
      message: 'no such path',
      error: 'no such path',
      detail: 'no such path',
    });
  });

  it('that has other methods is a 405 that names them', async () => {
    const { send } = clientOf({});

    const answer = await send('PATCH', `/v1/memories/${id}/`);

    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')?.split(', ').sort()).toEqual(
      ['DELETE', 'GET', 'HEAD', 'PUT'].sort(),
    );
    expect((await send('GET', '/v1/memories/search/')).headers.get('Allow')).toBe('POST');
  });

  it('answers HEAD as GET, without a body', async () => {
    const answer = await clientOf({ get_memory: memory }).send('HEAD', `/v1/memories/${id}/`);

    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  });
});
