import * as z from 'zod';
import { createApp } from '../../src/app/create-app.ts';
import { createClient } from '../../src/client.ts';
import { defaultOnThisMachine } from '../../src/config/option.ts';
import { type Config, optionNames, options as table } from '../../src/config/options.ts';
import type { Output } from '../../src/contract.ts';
import { pause } from '../support/pause.ts';
import { connect, mneme, type ToolAnswer } from './client.ts';
import { key, startService } from './rest-servers.ts';

type Input = Record<string, unknown>;
type Options = Partial<Config>;

/** A memory that answers a question. */
export type Hit = { id: string; memory: string; score: number };

/** One way to reach the program; all run the same engine on a store of their own. */
export type Engine = {
  /** Ids of the memories that hold what was added, also where they held it before. */
  add(input: Input): Promise<string[]>;
  search(input: Input): Promise<{ hits: Hit[]; text: string; warning: string | null }>;
  close(): Promise<void>;
};

const Written = z.object({ results: z.array(z.object({ id: z.string().nullish() })) });
const Found = z.object({
  results: z.array(z.object({ id: z.string(), memory: z.string(), score: z.number() })),
  warning: z.string().optional(),
});

export const engines = { mcp: startMcp, rest: startRest, direct: startDirect };
export type EngineName = keyof typeof engines;

export function isEngineName(name: string): name is EngineName {
  return Object.hasOwn(engines, name);
}

/** The built server, spawned, behind a real MCP client. Its results are not cut. */
async function startMcp(data_dir: string): Promise<Engine> {
  const tools = await connect(mneme(data_dir, ['--result-max-tokens=1000000']));
  return {
    add: async (input) => writtenIds(await tools.call('add_memory', input)),
    search: async (input) => {
      const { data, text } = await tools.call('search_memories', input);
      const { results, warning = null } = Found.parse(data);
      return { hits: results, text, warning };
    },
    close: () => tools.close(),
  };
}

/** The built service, spawned, behind the client of this package. */
async function startRest(data_dir: string): Promise<Engine> {
  const { url, stop } = await startService(data_dir, 'normal');
  const client = createClient({ base_url: url, api_key: key, timeout_ms: 600_000 });
  return {
    add: async (input) => {
      const data = await client.addMemory({ ...input, async_mode: false });
      return writtenIds({ data, text: '' });
    },
    search: async (input) => {
      const asked = { ...input, query: String(input.query) };
      const { results, warning = null } = Found.parse(await client.searchMemories(asked));
      return { hits: results, text: '', warning };
    },
    close: stop,
  };
}

/** An engine that also writes contexts. */
export type ContextEngine = Engine & { context(input: Input): Promise<Output<'get_context'>> };

/** An engine in this process, which also says when its model has embedded all memories. */
export type DirectEngine = ContextEngine & { embedAll(): Promise<void> };

/** The engine inside this process, without a face: the difference is what MCP costs. */
export async function startDirect(data_dir: string, options: Options = {}): Promise<DirectEngine> {
  const values = Object.fromEntries(
    optionNames.map((name) => [name, defaultOnThisMachine(table[name])]),
  );
  const config = { ...(values as Config), ...options, data_dir };
  const app = createApp(config, { log: () => {} });
  const { caller } = app;
  return {
    add: async (input) => {
      const data = await app.invoke('add_memory', { ...input, async_mode: false }, { caller });
      return writtenIds({ data, text: '' });
    },
    search: async (input) => {
      const data = await app.invoke('search_memories', input, { caller });
      const { results, warning = null } = Found.parse(data);
      return { hits: results, text: '', warning };
    },
    context: (input) => app.invoke('get_context', input, { caller }),
    embedAll: async () => {
      const { semanticSearch } = await app.open();
      semanticSearch?.wake();
      while (semanticSearch !== null) {
        const problem = semanticSearch.problem();
        if (problem !== null) throw new Error(problem);
        const pending = (await semanticSearch.progress())?.pending;
        if (pending === 0 && (await semanticSearch.isComplete())) return;
        await pause(embeddingPollMs);
      }
    },
    close: () => app.close(),
  };
}

const embeddingPollMs = 100;

function writtenIds({ data }: ToolAnswer): string[] {
  return Written.parse(data).results.flatMap(({ id }) => id ?? []);
}
