import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../src/core/tenants/keys.ts';
import { type Seeded, startSeeded } from './seeded-service.ts';
import { bodyOf } from './support.ts';

describe('a repeated request, on a real store', () => {
  let seeded: Seeded;

  beforeEach(async () => {
    seeded = await startSeeded();
  });
  afterEach(async () => {
    await seeded.engine.stop();
  });

  async function send(method: string, path: string, { body = {}, key = seeded.key } = {}) {
    const headers = {
      Authorization: `Token ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': `${method} ${path}`,
    };
    return seeded.app.request(path, { method, headers, body: JSON.stringify(body) });
  }

  async function sendTwice(method: string, path: string, body: object) {
    return [await send(method, path, { body }), await send(method, path, { body })] as const;
  }

  it('answers with the id of what the first one stored, and no text of it', async () => {
    const secret = 'Zanzibar cloves';
    const body = { text: secret, user_id: 'alex', metadata: { [secret]: 1 } };

    const [first, second] = await sendTwice('POST', '/v1/memories/', body);
    const stored = await bodyOf(first);
    const repeated = await bodyOf(second);

    expect(stored[0].memory).toBe(secret);
    expect(repeated).toEqual([
      { id: stored[0].id, event: 'ADD', memory: '', data: { memory: '' }, user_id: 'alex' },
    ]);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  });

  it.each([
    ['trigger', { entity_id: 'alex' }, ['alex']],
    ['sample', { limit: 2 }, []],
  ])('of a profile job (%s) says where the job is and that it is repeated', async (...job) => {
    const [operation, about, entity_ids] = job;
    const { entity_id = null } = { entity_id: null, ...about };

    const [first, second] = await sendTwice('POST', '/v2/profiles/jobs/', { operation, ...about });
    const { job_id, ...made } = await bodyOf(first);
    const repeated = await bodyOf(second);
    const status_url = `/v2/profiles/jobs/${job_id}/`;

    expect(made).toMatchObject({ status_url, operation, entity_id, replayed: false });
    const named = { job_id, status_url, operation, entity_id, entity_ids, replayed: true };
    expect(repeated).toMatchObject(named);
    const headers = { Authorization: `Token ${seeded.key}` };
    const found = await seeded.app.request(repeated.status_url, { headers });
    expect(await bodyOf(found)).toMatchObject({ job_id, operation });
  });

  it('names the ids, names and addresses that the request sent, as the first one did', async () => {
    const [project_id] = seeded.pool.project_id as string[];
    const hook = { url: 'https://example.com/hook', name: 'hook', event_types: ['memory_add'] };
    const requests: [string, object, string[]][] = [
      ['/v1/users/', { user_id: 'uma' }, ['user_id']],
      ['/v1/runs/', { run_id: 'r9', name: 'Ninth' }, ['run_id', 'name']],
      [
        `/api/v1/webhooks/projects/${project_id}/`,
        hook,
        ['webhook_id', 'project', 'url', 'name', 'event_types'],
      ],
      ['/v1/snapshots/', { name: 'before' }, ['name', 'as_of', 'created_at']],
      ['/v1/keys/', { name: 'laptop' }, ['key_id', 'name', 'created_at']],
      ['/v1/memories/erase/', { filters: { user_id: 'nobody' } }, ['deleted', 'event_id']],
    ];

    for (const [path, body, fields] of requests) {
      const [first, second] = await sendTwice('POST', path, body);
      const [made, repeated] = [await bodyOf(first), await bodyOf(second)];

      const whole = fields.map((field) => [field, expect.anything(), made[field]]);
      expect(fields.map((field) => [field, made[field], repeated[field]])).toEqual(whole);
    }
  });

  it('of an erasure counts what was removed', async () => {
    const [memory_id] = seeded.pool.memory_id as string[];
    const body = { memory_ids: [memory_id] };

    const [first, second] = await sendTwice('POST', '/v1/memories/erase/', body);

    const { removed } = (await bodyOf(first)).receipt;
    expect(removed).toMatchObject({ memories: 1 });
    expect((await bodyOf(second)).receipt).toMatchObject({ removed });
  });

  it('of an update holds neither text nor metadata nor entity ids', async () => {
    const [memory_id] = seeded.pool.memory_id as string[];
    const body = { text: 'Zanzibar', metadata: { Zanzibar: 'Zanzibar' } };

    const [first, second] = await sendTwice('PUT', `/v1/memories/${memory_id}/`, body);
    const repeated = await second.text();

    expect(await first.text()).toContain('Zanzibar');
    expect(JSON.parse(repeated)).toMatchObject({ id: memory_id, memory: '', metadata: {} });
    expect(repeated).not.toMatch(/Zanzibar|alex/);
  });

  it('does not show the secret of a webhook again', async () => {
    const [project_id] = seeded.pool.project_id as string[];
    const path = `/api/v1/webhooks/projects/${project_id}/`;
    const hook = { url: 'https://example.com/other', name: 'other', event_types: ['memory_add'] };

    const [first, second] = await sendTwice('POST', path, hook);

    expect(second.status).toBe(first.status);
    expect(await first.text()).toContain('whsec_');
    expect(await second.text()).not.toContain('whsec_');
  });

  it('is refused to an account that lost its access', async () => {
    const { engine } = seeded;
    const { org_id, project_id } = engine.projects.foreign;
    const email = 'eve@example.com';
    const place = { org_id, project_id };
    const { key, record } = await createKey(engine.deps, {
      ...place,
      email,
      name: 'eve',
      read_only: false,
      expires_at: null,
    });
    await engine.store.transaction((tables) =>
      tables.members.put({ org_id, project_key: null }, memberOf(record.account_id)),
    );
    const add = { key, body: { text: 'Tea', user_id: 'alex', ...place } };

    const before = [await send('POST', '/v1/memories/', add)];
    before.push(await send('POST', '/v1/memories/', add));
    await engine.store.transaction(async ({ members }) => {
      for (const project_key of [null, engine.projects.foreign.key]) {
        await members.delete({ org_id, project_key }, record.account_id);
      }
    });
    const after = await send('POST', '/v1/memories/', add);

    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    expect(after.status).toBe(404);
    expect(await after.text()).not.toContain('ADD');
  });

  it('of the deletion of a project succeeds, although there is no project left', async () => {
    const { org_id, project_id } = seeded.engine.projects.sibling;
    const path = `/api/v1/orgs/organizations/${org_id}/projects/${project_id}/`;

    const [first, second] = await sendTwice('DELETE', path, {});

    expect(first.status).toBeLessThan(300);
    expect(second.status).toBe(first.status);
  });
});

function memberOf(account_id: string) {
  return { account_id, role: 'OWNER' as const, now: '2026-01-01T00:00:00.000Z' };
}
