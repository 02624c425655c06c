import { randomUUID } from 'node:crypto';
import type { Body, Service } from '../e2e/service.ts';

/** What a request of the specification may name: made anew for each, so that it may delete it. */
export type Fixture = {
  org_id: string;
  project_id: string;
  memory_id: string;
  memory_export_id: string;
  event_id: string;
  webhook_id: string;
  /** The user that the memory belongs to. */
  entity_id: string;
  entity_type: string;
};

/** An organization with one project and something of each kind; the memory is in the default one. */
export async function makeFixture(service: Service): Promise<Fixture> {
  const make = async (path: string, body: object): Promise<Body> => {
    const answer = await service.send('POST', path, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const entity_id = `user ${randomUUID()}/é`;
  const orgs = '/api/v1/orgs/organizations/';
  const { org_id } = await make(orgs, { name: 'Org' });
  const { project_id } = await make(`${orgs}${org_id}/projects/`, { name: 'Project' });
  const messages = [{ role: 'user', content: 'Likes tea' }];
  const added = await make('/v1/memories/', { messages, user_id: entity_id, infer: false });
  const queued = await make('/v1/memories/', { messages, agent_id: randomUUID() });
  const exported = await make('/v1/exports/', {
    schema: { type: 'object' },
    filters: { user_id: entity_id },
  });
  const url = 'https://example.com/hook';
  const hook = await make(`/api/v1/webhooks/projects/${project_id}/`, { url, name: 'Hook' });
  return {
    org_id: String(org_id),
    project_id: String(project_id),
    memory_id: String(firstOf(added).id),
    memory_export_id: String(exported.id),
    event_id: String(firstOf(queued).event_id),
    webhook_id: String(hook.webhook_id),
    entity_id,
    entity_type: 'user',
  };
}

function firstOf(answer: Body): Body {
  return Array.isArray(answer) ? answer[0] : {};
}

/** A path of the specification with its placeholders filled in. */
export function fill(path: string, fixture: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(fixture[name] ?? ''));
}
