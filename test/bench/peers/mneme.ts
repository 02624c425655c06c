import { pause } from '../../support/pause.ts';
import { startDirect } from '../engines.ts';
import { dimension } from './embeddings.ts';
import type { Peer } from './peer.ts';

/** This project's engine in this process, by words alone or with vectors as well. */
export async function openMneme(folder: string, embedder_url: string | null): Promise<Peer> {
  const model = { embedder_url, embedder_model: 'spelling', embedder_dimensions: dimension };
  const engine = await startDirect(folder, embedder_url === null ? {} : model);
  const search = (query: string, user_id: string, top_k: number) =>
    engine.search({ query, user_id, top_k, threshold: 0 });
  return {
    name: embedder_url === null ? 'mneme' : 'mneme, with the embedder',
    add: ({ text, name, user_id, run_id }) => {
      const messages = [{ role: 'user', name, content: text }];
      return engine.add({ messages, infer: false, user_id, run_id });
    },
    ready: async () => {
      // It warns while not everything is embedded.
      while ((await search('ready', 'nobody', 1)).warning !== null) await pause(200);
    },
    search: async (question, user_id, top_k) => {
      const { hits } = await search(question, user_id, top_k);
      return hits.map(({ id }) => id);
    },
    close: () => engine.close(),
  };
}
