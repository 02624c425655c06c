import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Server, startServer } from '../clients/server.ts';
import { createKey } from '../e2e/service.ts';
import { type Fixture, fill, makeFixture } from './fixture.ts';

type Who = 'owner' | 'reader' | 'stranger';

/** A line of the specification's table of errors, and who has to ask to meet it. */
type Line = {
  about: string;
  who?: Who;
  request: readonly [method: string, path: string, body?: object];
  status: number;
  /** The key of the body that carries the text, and the text where the specification gives it. */
  says: Partial<Record<'message' | 'detail', RegExp>> | { errors: string };
};

const unknown = randomUUID();
const orgs = '/api/v1/orgs/organizations';
const hooks = '/api/v1/webhooks';
const url = 'https://example.com/';
const unknownProject = /^organization or project not found$/i;

/** Section 7, in its order. */
const lines: readonly Line[] = [
  {
    about: 'get memory, memory unknown',
    request: ['GET', `/v1/memories/${unknown}/`],
    status: 404,
    says: { message: /memory not found/i },
  },
  {
    about: 'create organization, name missing',
    request: ['POST', `${orgs}/`, {}],
    status: 400,
    says: { errors: 'name' },
  },
  {
    about: 'get organization, unknown',
    request: ['GET', `${orgs}/${unknown}/`],
    status: 404,
    says: { message: /organization not found/i },
  },
  {
    about: 'delete organization, caller not permitted',
    who: 'reader',
    request: ['DELETE', `${orgs}/{org_id}/`],
    status: 403,
    says: { message: /./ },
  },
  {
    about: 'create project, cannot be created',
    request: ['POST', `${orgs}/{org_id}/projects/`, { name: '' }],
    status: 400,
    says: { message: /^project could not be created/i },
  },
  {
    about: 'create project, caller not permitted in the organization',
    who: 'reader',
    request: ['POST', `${orgs}/{org_id}/projects/`, { name: 'Mine' }],
    status: 403,
    says: { message: /^unauthorized to create projects in this organization$/i },
  },
  {
    about: 'get project, unknown organization',
    request: ['GET', `${orgs}/${unknown}/projects/{project_id}/`],
    status: 404,
    says: { message: unknownProject },
  },
  {
    about: 'get project, unknown project',
    request: ['GET', `${orgs}/{org_id}/projects/${unknown}/`],
    status: 404,
    says: { message: unknownProject },
  },
  {
    about: 'delete project, caller not permitted',
    who: 'reader',
    request: ['DELETE', `${orgs}/{org_id}/projects/{project_id}/`],
    status: 403,
    says: { message: /^unauthorized to modify this project$/i },
  },
  {
    about: 'delete project, unknown organization or project',
    request: ['DELETE', `${orgs}/{org_id}/projects/${unknown}/`],
    status: 404,
    says: { message: unknownProject },
  },
  {
    about: 'delete entity, invalid entity type',
    request: ['DELETE', '/v2/entities/robot/r2d2/'],
    status: 400,
    says: { message: /invalid entity type/i },
  },
  {
    about: 'get event, unknown',
    request: ['GET', `/v1/event/${unknown}/`],
    status: 404,
    says: { detail: /not found/i },
  },
  {
    about: 'create webhook, invalid request',
    request: ['POST', `${hooks}/projects/{project_id}/`, { name: 'no address' }],
    status: 400,
    says: { errors: 'url' },
  },
  {
    about: 'create webhook, no access to the project',
    who: 'reader',
    request: ['POST', `${hooks}/projects/{project_id}/`, { url }],
    status: 403,
    says: { message: /^you don't have access to this project$/i },
  },
  {
    about: 'update webhook, no access',
    who: 'reader',
    request: ['PUT', `${hooks}/{webhook_id}/`, { url }],
    status: 403,
    says: { message: /^you don't have access to this webhook$/i },
  },
  {
    about: 'delete webhook, no access',
    who: 'reader',
    request: ['DELETE', `${hooks}/{webhook_id}/`],
    status: 403,
    says: { message: /^you don't have access to this webhook$/i },
  },
  {
    about: 'update webhook, unknown',
    request: ['PUT', `${hooks}/${unknown}/`, { url }],
    status: 404,
    says: { message: /^webhook not found$/i },
  },
  {
    about: 'delete webhook, unknown',
    request: ['DELETE', `${hooks}/${unknown}/`],
    status: 404,
    says: { message: /^webhook not found$/i },
  },
  {
    about: 'update webhook, invalid request',
    request: ['PUT', `${hooks}/{webhook_id}/`, { event_types: ['memory:forget'] }],
    status: 400,
    says: { errors: 'event_types.0' },
  },
];

describe('the specification says of errors', () => {
  let server: Server;
  let fixture: Fixture;
  const keys: Partial<Record<Who, string>> = {};
  const ask = (who: Who, [method, path, body]: Line['request']) => {
    const key = keys[who];
    const options = { ...(key !== undefined && { key }), ...(body && { body }) };
    return server.send(method, fill(path, fixture), options);
  };

  beforeAll(async () => {
    server = await startServer();
    fixture = await makeFixture(server);
    const email = 'reader@example.com';
    const membership = { email, role: 'READER' };
    await ask('owner', ['POST', `${orgs}/{org_id}/members/`, membership]);
    keys.reader = await createKey(server.data_dir, ['--email', email]);
    keys.stranger = await createKey(server.data_dir, ['--email', 'stranger@example.com']);
  });
  afterAll(() => server.stop());

  it.each(lines)('$about: $status', async ({ who = 'owner', request, status, says }: Line) => {
    const answer = await ask(who, request);

    const body =
      'errors' in says
        ? { errors: { [says.errors]: expect.arrayContaining([expect.any(String)]) } }
        : Object.fromEntries(
            Object.entries(says).map(([key, text]) => [key, expect.stringMatching(text)]),
          );
    expect(answer).toMatchObject({ status, body });
  });

  it.each(lines.filter(({ who }) => who === 'reader'))(
    'to who has no place there: $about, as if it were unknown',
    async ({ request }: Line) => {
      const [method, path, body] = request;
      const elsewhere = path.replaceAll(/\{\w+\}/g, unknown);

      const hidden = await ask('stranger', request);
      const none = await ask('stranger', body ? [method, elsewhere, body] : [method, elsewhere]);

      expect(hidden).toMatchObject({ status: 404, body: none.body });
    },
  );

  it('nothing of the last project of a store, which requests that name none need', async () => {
    const fresh = await startServer();
    const { body: place } = await fresh.send('GET', '/v1/ping/');
    const organization = `${orgs}/${place.org_id}/`;

    const project = await fresh.send('DELETE', `${organization}projects/${place.project_id}/`);
    const whole = await fresh.send('DELETE', organization);
    await fresh.stop();

    expect([project.status, whole.status]).toEqual([409, 409]);
  });

  it('the same text under every key that a client may look for', async () => {
    const { body } = await ask('owner', ['GET', `/v1/memories/${unknown}/`]);

    expect(body).toEqual({ message: body.message, error: body.message, detail: body.message });
  });
});
