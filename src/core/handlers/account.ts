import { limits } from '../../contract/limits.ts';
import { dayInZone, dayMs, instantsOfDay, isoDayOf } from '../../contract/wall-clock.ts';
import type { Output } from '../../contract.ts';
import type { DayStart, Deps, Handlers, ProjectRef } from '../ports/index.ts';
import { administersStore, getCallingAccount } from '../tenants/accounts.ts';

type AccountOperation = 'ping' | 'get_stats' | 'get_growth';

export function createAccountHandlers(deps: Deps): Pick<Handlers, AccountOperation> {
  const { store } = deps;

  return {
    ping: async (_input, { caller, project: { org_id, project_id } }) => {
      const { email } = await getCallingAccount(caller, store);
      const has_store = await administersStore(caller, store);
      const { read_only } = caller;
      const timezone = deps.timezone ?? 'UTC';
      return {
        status: 'ok',
        org_id,
        project_id,
        user_email: email,
        read_only,
        has_store,
        timezone,
      };
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

    get_growth: ({ days }, { project }) => growthOf(deps, days, project),
  };
}

/** The last `count` days in a time zone, up to today, and tomorrow. */
function daysUntilTomorrow(today: string, count: number, timezone: string): DayStart[] {
  const first = Date.parse(today) - (count - 1) * dayMs;
  return Array.from({ length: count + 1 }, (_, index) => {
    const day = isoDayOf(new Date(first + index * dayMs).toISOString());
    return { day, begin: instantsOfDay(day, timezone).begin };
  });
}

async function growthOf(
  { store, clock, timezone = 'UTC', flushEvents }: Deps,
  count: number,
  project: ProjectRef,
): Promise<Output<'get_growth'>> {
  // Tomorrow is asked for too, and dropped: what an import brought may be later than today.
  const days = daysUntilTomorrow(dayInZone(clock.now(), timezone), count, timezone);
  const limit = limits.growth_changes_max;
  await flushEvents?.();
  const changes = await store.history.countByDay(project, { days, limit });
  const searches = await store.events.countByDay(project, { event_type: 'SEARCH', days });
  const tokens = await store.recalls.sumTokensByDay(project, days);
  return {
    days: days.slice(0, count).map(({ day }) => {
      const ofDay = changes.filter((change) => change.day === day);
      const total = (event: string) =>
        ofDay.filter((one) => one.event === event).reduce((sum, one) => sum + one.count, 0);
      const categories: Record<string, number> = {};
      for (const { event, categories: names, count: added } of ofDay) {
        if (event !== 'ADD') continue;
        for (const name of names) categories[name] = (categories[name] ?? 0) + added;
      }
      return {
        day,
        added: total('ADD'),
        updated: total('UPDATE'),
        deleted: total('DELETE'),
        searches: searches[day] ?? 0,
        recalled_tokens: tokens[day] ?? 0,
        categories,
      };
    }),
  };
}
