import { client, viewer } from '../parts/session.ts';
import { shownDay, today } from '../parts/times.ts';
import { readWaitingTotal } from '../parts/waiting.ts';
import { readHealth } from './read-health.ts';

/** The list of newest changes ends here, and so does the count of today's. */
export const newestMax = 200;
const recallsMax = 100;

export type HomeValue = Awaited<ReturnType<typeof readHome>>;

/** Reads all that the first page shows, except the charts. */
export async function readHome() {
  const hasStore = viewer.value?.hasStore === true;
  const [memories, waitingCount, failures, history, entities, searches, recalls, models, health] =
    await Promise.all([
      client.getMemories({ page_size: 1 }),
      readWaitingTotal(),
      client.listEvents({ status: 'FAILED', page_size: 1 }),
      client.listHistory({ page_size: newestMax }),
      client.listEntities({ sort: 'total_memories', page_size: 8 }),
      client.listEvents({ event_type: 'SEARCH', page_size: 8 }),
      client.listRecalls({ page_size: recallsMax }),
      // The machine's own figures, which only the owner of the store may read.
      hasStore ? client.listModels({}) : null,
      readHealth(),
    ]);
  return {
    total: memories.total,
    waitingCount,
    failureCount: failures.total,
    changes: history.results,
    learnedToday: history.results.filter(
      ({ created_at, event }) => event === 'ADD' && shownDay(created_at) === today(),
    ),
    owners: entities.results.filter(({ total_memories }) => total_memories > 0),
    searches: searches.results,
    recalls: recalls.results,
    modelTokens: models?.tokens_today ?? null,
    health,
  };
}
