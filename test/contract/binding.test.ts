import { describe, expect, it } from 'vitest';
import { inputFromHttp, parseQueryString, toHttpRequest } from '../../src/contract/http-binding.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { contract } from '../../src/contract.ts';

const id = '11111111-1111-4111-8111-111111111111';
const body = { carries: 'body' } as const;
const query = { carries: 'query' } as const;

describe('reading an input', () => {
  it('lets path go over its carrier, and its carrier over the other', () => {
    const parts = { params: { a: 'path' }, query: { a: 'q', b: 'q', c: 'q' }, body: { b: 'body' } };

    expect(inputFromHttp(body, parts)).toEqual({ a: 'path', b: 'body', c: 'q' });
    expect(inputFromHttp(query, parts)).toEqual({ a: 'path', b: 'q', c: 'q' });
  });

  it('lets what a path fixes go over all, and its defaults under all', () => {
    const route = { ...body, fixed: { kind: 'user' }, defaults: { threshold: 0.1 } };

    const said = { kind: 'app', threshold: 0.5 };

    expect(inputFromHttp(route, { params: {}, query: {}, body: said })).toEqual({
      kind: 'user',
      threshold: 0.5,
    });
    expect(inputFromHttp(route, { params: {}, query: {} })).toEqual({
      kind: 'user',
      threshold: 0.1,
    });
  });

  it('takes no other body than an object', () => {
    expect(() => inputFromHttp(body, { params: {}, query: {}, body: [] })).toThrow(/JSON object/);
  });
});

describe('reading a query', () => {
  it('decodes once, and takes what is repeated as a list', () => {
    expect(parseQueryString('?a=1&b=x%252F&a=2&a=3&c=&d')).toEqual({
      a: ['1', '2', '3'],
      b: 'x%2F',
      c: '',
      d: '',
    });
    expect(parseQueryString('')).toEqual({});
  });

  it('refuses what is no UTF-8, and takes any sign that is', () => {
    for (const search of ['?a=1&user_id=%ff', 'user_id=a%C3', '?user_id=%ED%A0%80&b=100%']) {
      expect(() => parseQueryString(search)).toThrow(/^user_id: .*UTF-8/);
    }
    expect(() => parseQueryString('?%ff=1')).toThrow('UTF-8');
    expect(parseQueryString('?a=%EF%BF%BD&b=\uFFFD+100%&c=%C3%BC%zz')).toEqual({
      a: '\uFFFD',
      b: '\uFFFD 100%',
      c: 'ü%zz',
    });
  });
});

describe('writing a request', () => {
  it('takes the canonical route', () => {
    expect(toHttpRequest(contract.get_memories, { user_id: 'a' })).toEqual({
      method: 'POST',
      path: '/v2/memories/',
      body: { user_id: 'a' },
    });
  });

  it('takes an alternate where the input lacks what the canonical path names', () => {
    expect(toHttpRequest(contract.get_project, { project_id: 'p' }).path).toBe('/v1/projects/p/');
    expect(toHttpRequest(contract.create_webhook, { url: 'u' }).path).toBe('/v1/webhooks/');
  });

  it('encodes ids in a path, lists and objects in a query', () => {
    const input = { entity_type: 'user', entity_id: 'al ice/x', project_id: undefined };
    const filter = { user_id: 'a&b', metadata: { a: 1 } };

    expect(toHttpRequest(contract.delete_entity, input).path).toBe(
      '/v2/entities/user/al%20ice%2Fx/',
    );
    expect(toHttpRequest(contract.delete_all_memories, filter).path).toBe(
      '/v1/memories/?user_id=a%26b&metadata=%7B%22a%22%3A1%7D',
    );
    expect(
      toHttpRequest(contract.get_project, { project_id: 'p', fields: ['decay', 'name'] }).path,
    ).toBe('/v1/projects/p/?fields=decay&fields=name');
  });

  it('refuses ids that servers and proxies would take for another path', () => {
    for (const entity_id of ['.', '..', '']) {
      const input = { entity_type: 'user', entity_id };
      expect(() => toHttpRequest(contract.delete_entity, input)).toThrow(/entity_id/);
    }
  });

  it('names the field that it lacks', () => {
    expect(() => toHttpRequest(contract.get_memory, {})).toThrow('memory_id');
  });

  it.each(Object.entries<Operation>(contract))('of %s can be read back', (_name, record) => {
    const fields = [...(record.routes[0]?.path ?? '').matchAll(/\{(\w+)\}/g)];
    const input = {
      ...Object.fromEntries(fields.map(([, field]) => [field, `${id}/ä`])),
      user_id: 'alice',
    };

    const { method, path, body: written } = toHttpRequest(record, input);

    const { pathname, search } = new URL(path, 'http://localhost');
    const route = record.routes.find((one) => one.method === method) ?? query;
    const segments = pathname.split('/').map(decodeURIComponent);
    const params = Object.fromEntries(
      (record.routes[0]?.path ?? '').split('/').flatMap((segment, index) => {
        const [, field] = /^\{(\w+)\}$/.exec(segment) ?? [];
        return field === undefined ? [] : [[field, segments[index] ?? '']];
      }),
    );
    const parts = { params, query: parseQueryString(search), ...(written && { body: written }) };
    expect(inputFromHttp(route, parts)).toEqual(input);
  });
});
