import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Output } from '../../contract.ts';
import { type ScopedInvoke, withScopedInvoke } from '../context/scoped-invoke.ts';
import { memoryLines, memoryNotice } from '../io/memory-lines.ts';
import { detectProject } from './detect-project.ts';

/** Token budgets for the start of a session and for each prompt. */
const sessionMaxTokens = 1500;
const promptMaxTokens = 500;

/** Prompts of a word or two, such as "yes" or "go on", match anything. */
const promptMinWords = 3;

/**
 * The context for the start of a session: that of the project, in up to half of the budget, then
 * that of the user without what belongs to a project. Empty when there is none.
 */
export async function projectContext(loaded: LoadedConfig, cwd: string): Promise<string> {
  const { name, keys } = await detectProject(cwd);
  const { timezone } = loaded.values;
  const [own, general] = await withScopedInvoke(loaded, async (call) => {
    const max_tokens = sessionMaxTokens / 2;
    const first = await contextOf(call, { filters: ofProject(keys), max_tokens, timezone });
    const tokens = sessionMaxTokens - first.used;
    const second = await contextOf(call, { filters: ofNoProject, max_tokens: tokens, timezone });
    return [first.text, second.text];
  });
  const parts = [
    ...contextSection(`# About the project ${name}`, own),
    ...contextSection('# About the user', general),
  ];
  return parts.length === 0 ? '' : [...parts, moreMemoriesHint].join('\n');
}

function ofProject(keys: readonly string[]) {
  return { metadata: { project: { in: keys } } };
}

const ofNoProject = { NOT: [{ metadata: { project: '*' } }] };

const moreMemoriesHint = 'There may be more: use search_memories to find memories about a topic.';

function contextSection(heading: string, text: string | undefined): string[] {
  return text ? [heading, text] : [];
}

/**
 * The memories that answer a prompt, after those that always apply, without other projects. Empty
 * if nothing answers.
 */
export async function promptContext(
  loaded: LoadedConfig,
  { prompt, cwd }: { prompt: string; cwd: string },
): Promise<string> {
  const query = bothEnds(prompt.trim(), limits.message_max_chars);
  if (query.startsWith('/') || query.split(/\s+/).length < promptMinWords) return '';
  const { keys } = await detectProject(cwd);
  const { timezone } = loaded.values;
  const filters = { OR: [ofProject(keys), ofNoProject] };
  const { text, answers } = await withScopedInvoke(loaded, (call) =>
    contextOf(call, { query, filters, max_tokens: promptMaxTokens, timezone }),
  );
  return answers ? text : '';
}

/** A question stands before or after what is pasted. */
function bothEnds(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = Math.floor(charsMax / 2) - 1;
  return `${text.slice(0, half)}\n${text.slice(-half)}`.toWellFormed();
}

type HookQuestion = { query?: string; filters: object; max_tokens: number; timezone: string };
type HookContext = { text: string; used: number; answers: boolean };

/** Servers that have no contexts are searched or listed instead, within the same budget. */
async function contextOf(call: ScopedInvoke, question: HookQuestion): Promise<HookContext> {
  const { timezone: _, ...input } = question; // only lines that are written here need it
  try {
    const { text, used, blocks }: Output<'get_context'> = await call('get_context', input);
    // The start of the session has injected the memories that always apply.
    return { text, used, answers: blocks.some(({ kind }) => kind === 'answers') };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    return listedContext(call, question);
  }
}

const listedMax = 40;
const searchedMax = 5;

async function listedContext(
  call: ScopedInvoke,
  { query, filters, max_tokens, timezone }: HookQuestion,
): Promise<HookContext> {
  const { results } =
    query === undefined
      ? await call('get_memories', { filters, page_size: listedMax })
      : await call('search_memories', { query, filters, top_k: searchedMax });
  const lines = memoryLines(results, { query: query ?? null, tokensMax: max_tokens, timezone });
  const text = lines.length === 0 ? '' : [memoryNotice, ...lines].join('\n');
  return { text, used: lines.length === 0 ? 0 : max_tokens, answers: lines.length > 0 };
}
