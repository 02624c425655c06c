import type { LoadedConfig } from '../../config/load-config.ts';
import { limits } from '../../contract/limits.ts';
import { type ScopedInvoke, withScopedInvoke } from '../context/scoped-invoke.ts';
import { memoryLines, memoryNotice } from '../io/memory-lines.ts';
import { detectProject } from './detect-project.ts';

/** Token budgets for the start of a session and for each prompt. */
const sessionMaxTokens = 1500;
const promptMaxTokens = 500;

const sessionMemoriesMax = 40;
const promptMemoriesMax = 5;

/** Prompts of a word or two, such as "yes" or "go on", match anything. */
const promptMinWords = 3;

/**
 * The context for the start of a session: the newest memories of the project, then the newest of
 * the user that have no project. Empty when there are none.
 */
export async function projectContext(loaded: LoadedConfig, cwd: string): Promise<string> {
  const project = await detectProject(cwd);
  const [own, general] = await withScopedInvoke(loaded, (call) =>
    Promise.all([
      newestMemories(call, { metadata: { project } }),
      newestMemories(call, { NOT: [{ metadata: { project: '*' } }] }),
    ]),
  );
  // Half for each; without project memories the user gets all.
  const ownLines = memoryLines(own, sessionMaxTokens / 2);
  const generalMaxTokens = own.length === 0 ? sessionMaxTokens : sessionMaxTokens / 2;
  const parts = [
    ...contextSection(`About the project ${project}:`, ownLines),
    ...contextSection('About the user:', memoryLines(general, generalMaxTokens)),
  ];
  return parts.length === 0 ? '' : [memoryNotice, ...parts, moreMemoriesHint].join('\n');
}

const moreMemoriesHint = 'There may be more: use search_memories to find memories about a topic.';

async function newestMemories(call: ScopedInvoke, filters: object) {
  const fields = ['memory', 'created_at'];
  const { results } = await call('get_memories', {
    filters,
    fields,
    page_size: sessionMemoriesMax,
  });
  return results;
}

function contextSection(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

/** Memories related to a prompt. Empty when there are none. */
export async function promptContext(loaded: LoadedConfig, prompt: string): Promise<string> {
  const query = prompt.trim().slice(0, limits.query_max_chars).trim();
  if (query.startsWith('/') || query.split(/\s+/).length < promptMinWords) return '';
  const { results } = await withScopedInvoke(loaded, (call) =>
    call('search_memories', { query, top_k: promptMemoriesMax }),
  );
  const lines = memoryLines(results, promptMaxTokens);
  return lines.length === 0 ? '' : [memoryNotice, ...lines].join('\n');
}
