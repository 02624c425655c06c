import * as z from 'zod';
import { analyzeQuery } from '../../../src/core/language/terms-of-text.ts';
import { connect, serverMemory } from '../client.ts';
import type { Peer } from './peer.ts';

const Graph = z.object({
  entities: z.array(z.object({ name: z.string(), entityType: z.string() })),
});

/**
 * The reference server of the protocol's authors. It finds what holds the query as it is, and so no
 * question at all: it is asked for each telling word, as an agent would in the end, and what most
 * of them find comes first.
 */
export async function openServerMemory(folder: string): Promise<Peer> {
  const tools = await connect(serverMemory(folder));
  return {
    name: 'server-memory, word by word',
    add: async ({ id, user_id, name, text }) => {
      const entity = { name: id, entityType: user_id, observations: [`${name}: ${text}`] };
      await tools.call('create_entities', { entities: [entity] });
      return [id];
    },
    search: async (question, user_id, top_k) => {
      const votes = new Map<string, number>();
      for (const query of analyzeQuery(question)) {
        const { data } = await tools.call('search_nodes', { query });
        for (const { name, entityType } of Graph.parse(data).entities) {
          if (entityType === user_id) votes.set(name, (votes.get(name) ?? 0) + 1);
        }
      }
      const ranked = [...votes].sort(([, one], [, other]) => other - one);
      return ranked.slice(0, top_k).map(([name]) => name);
    },
    close: () => tools.close(),
  };
}
