/** Outputs of operations, as core answers them. */
export const id = '11111111-1111-4111-8111-111111111111';
export const eventId = '22222222-2222-4222-8222-222222222222';

export const memory = { id, memory: 'likes tea', user_id: 'alice', metadata: {} };

export const writeResult = {
  id,
  event: 'ADD',
  memory: 'likes tea',
  data: { memory: 'likes tea' },
  user_id: 'alice',
};

export const done = {
  message: 'Done',
  status: 'SUCCEEDED',
  event_id: eventId,
  results: [writeResult],
};

export const pending = { message: 'Queued', status: 'PENDING', event_id: eventId, results: [] };

export const entity = { id: 'alice', name: 'alice', type: 'user', total_memories: 1 };

export function pageOf(item: object, { total = 1, page = 1, page_size = 100 } = {}) {
  return { results: [item], total, page, page_size };
}

export const totals = { total_users: 1, total_agents: 0, total_apps: 0, total_runs: 0 };

export const member = {
  id: 7,
  user_id: 'account-7',
  username: 'ada',
  email: 'ada@example.com',
  role: 'OWNER',
};

export const organization = { id: 1, org_id: 'org', name: 'Org', members: [member], owner: 7 };
export const project = { id: 2, project_id: 'proj', name: 'Proj', members: [member] };
