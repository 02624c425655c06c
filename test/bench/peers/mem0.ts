import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { loadSqlite } from '../../../src/storage/sqlite/driver.ts';
import { dimension } from './embeddings.ts';
import type { Peer } from './peer.ts';

const Results = z.object({ results: z.array(z.object({ id: z.string() })) });

type Memory = {
  add(messages: unknown, options: object): Promise<unknown>;
  search(query: string, options: object): Promise<unknown>;
};

/** The open-source memory of mem0, with its own store in SQLite: what is said is kept as it is. */
export async function openMem0(
  packages: string,
  { folder, embedder_url }: { folder: string; embedder_url: string },
): Promise<Peer> {
  process.env.MEM0_TELEMETRY = 'false';
  process.env.MEM0_DIR = folder;
  await provideSqlite(packages);
  const module = join(packages, 'node_modules/mem0ai/dist/oss/index.mjs');
  const { Memory: Mem0 } = await import(pathToFileURL(module).href);
  const service = { baseURL: embedder_url, apiKey: 'none' };
  const memory: Memory = new Mem0({
    embedder: {
      provider: 'openai',
      config: { ...service, model: 'spelling', embeddingDims: dimension },
    },
    vectorStore: {
      provider: 'memory',
      config: { collectionName: 'said', dimension, dbPath: join(folder, 'vectors.db') },
    },
    // Never asked: with `infer: false` it has nothing to do.
    llm: { provider: 'openai', config: { ...service, model: 'none' } },
    historyDbPath: join(folder, 'history.db'),
  });

  return {
    name: 'mem0ai/oss',
    add: async ({ text, name, user_id, run_id }) => {
      const messages = [{ role: 'user', content: `${name}: ${text}` }];
      const options = { userId: user_id, runId: run_id, infer: false };
      return idsOf(await memory.add(messages, options));
    },
    search: async (question, user_id, topK) => {
      return idsOf(await memory.search(question, { filters: { user_id }, topK, threshold: 0 }));
    },
    close: async () => {},
  };
}

function idsOf(answer: unknown): string[] {
  return Results.parse(answer).results.map(({ id }) => id);
}

/**
 * `better-sqlite3` would have to be compiled: its few calls that mem0 makes are led to the SQLite
 * that this project uses.
 */
async function provideSqlite(packages: string): Promise<void> {
  const open = await loadSqlite();
  Object.assign(globalThis, { openBenchSqlite: (path: string) => open(path) });
  const folder = join(packages, 'node_modules/better-sqlite3');
  mkdirSync(folder, { recursive: true });
  const about = { name: 'better-sqlite3', type: 'module', exports: './index.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  writeFileSync(join(folder, 'index.js'), sqliteModule);
}

const sqliteModule = `
export default class Database {
  constructor(path) { this.sqlite = globalThis.openBenchSqlite(path); }
  exec(sql) { this.sqlite.exec(sql); return this; }
  prepare(sql) { return this.sqlite.prepare(sql); }
  transaction(work) {
    return (...given) => {
      this.sqlite.exec('begin');
      try {
        const done = work(...given);
        this.sqlite.exec('commit');
        return done;
      } catch (error) {
        this.sqlite.exec('rollback');
        throw error;
      }
    };
  }
  close() { this.sqlite.close(); }
}
`;
