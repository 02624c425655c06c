import type { Deps, Handlers } from '../ports/index.ts';
import { getCallingAccount } from '../tenants/accounts.ts';

export function createAccountHandlers({ store }: Deps): Pick<Handlers, 'ping' | 'get_stats'> {
  return {
    ping: async (_input, { caller, project: { org_id, project_id } }) => {
      const { email } = await getCallingAccount(caller, store);
      return { status: 'ok', org_id, project_id, user_email: email };
    },

    get_stats: async (_input, { project }) => {
      const counts = await store.events.countByType(project);
      const total = await store.memories.size(project, {});
      const users = await store.entities.countWithMemories(project, 'user');
      return {
        total_memories: total,
        total_add_events: counts.ADD ?? 0,
        total_retrieval_events: (counts.SEARCH ?? 0) + (counts.GET_ALL ?? 0),
        total_users_with_memories: users,
        memories_per_user: users === 0 ? 0 : total / users,
      };
    },
  };
}
