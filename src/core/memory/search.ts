import type { Output, Parsed } from '../../contract/index.ts';
import { entitiesNamed } from '../../contract/schemas/filter-entities.ts';
import type { ScoreBreakdown, ScoredMemory } from '../../contract/schemas/memory.ts';
import { relationsFor } from '../graph/answered.ts';
import { readQuery } from '../language/read.ts';
import { type Scored, wordsAlone } from '../meaning/scored.ts';
import type {
  AskedMeaning,
  Call,
  Candidate,
  Deps,
  Meaning,
  Nearest,
  Project,
  Selection,
} from '../ports.ts';
import { findCandidates } from '../recall/find.ts';
import { readQuestion, wordsOnly } from '../recall/question.ts';
import { rank } from '../recall/rank.ts';
import { readMemory } from '../recall/readings.ts';
import { selectionOf } from './selection.ts';
import { pickFields, toMemory } from './shape.ts';

/** The memories of the selection that answer the query, best first, at least `threshold` good. */
export async function search(
  deps: Searching,
  call: Pick<Call, 'project' | 'signal'>,
  input: Parsed<'search_memories'>,
): Promise<Output<'search_memories'>> {
  const { project, signal } = call;
  const asking = askMeaning(deps, input, signal);
  const found = await rankAll(deps, project, { ...input, asking });
  const judged = await judgeAll(deps, call, { ...input, ...found });
  const { warning } = judged;
  const ranked = await fadeAll(deps, call, { ...judged, top_k: input.top_k });
  const best = ranked[0]?.score ?? 0;
  const least = input.filter_memories ? Math.max(input.threshold, best / 2) : input.threshold;
  const hits = ranked.filter(({ score }) => score >= least).slice(0, input.top_k);
  const ids = hits.map(({ id }) => id);
  const memories = await readAll(deps, project, ids);
  const results = hits.flatMap((hit): ScoredMemory[] => {
    // One that another process deleted since the match is no result.
    const memory = memories.get(hit.id);
    if (memory === undefined) return [];
    const shown = pickFields(toMemory(memory), input.fields);
    return [{ ...shown, score: hit.score, ...breakdownOf(hit, input.fields) }];
  });
  const relations = await relationsFor(deps, { input, project }, ids);
  return { results, ...relations, ...(warning !== null && { warning }) };
}

type Searching = Pick<Deps, 'store' | 'clock' | 'meaning' | 'reranker' | 'log'>;

/** Begun before words are looked for, which take their time as well. */
function askMeaning(
  { meaning }: Searching,
  { query, keyword_search }: Parsed<'search_memories'>,
  signal: AbortSignal | undefined,
): Asking | null {
  if (meaning === undefined || keyword_search) return null;
  const asking = meaning.ask(query, signal);
  asking.catch(() => {}); // whoever awaits it hears of a failure
  return asking;
}

type Asking = ReturnType<Meaning['ask']>;

async function readAll({ store }: Searching, project: Project, ids: readonly string[]) {
  const found = await store.memories.findMany(project, ids);
  return new Map(found.map((memory) => [memory.id, memory]));
}

type Found = { ranked: readonly Scored[]; warning: string | null };

/** What a reranker makes of the first ones, where one is configured and asked for. */
async function judgeAll(
  deps: Searching,
  { project, signal }: Pick<Call, 'project' | 'signal'>,
  input: Parsed<'search_memories'> & Found,
): Promise<Found> {
  const { ranked, query, top_k, warning } = input;
  if (!input.rerank || deps.reranker === undefined) return { ranked, warning };
  const ids = ranked.slice(0, Math.max(judgedMin, top_k)).map(({ id }) => id);
  const memories = await readAll(deps, project, ids);
  const { rerank } = await import('../meaning/rerank.ts'); // few have a reranker
  const judged = await rerank(deps, ranked, { query, memories, signal });
  const warnings = [warning, judged.warning].filter((one) => one !== null);
  return { ranked: judged.ranked, warning: warnings.length === 0 ? null : warnings.join(' ') };
}

/** Older memories rank lower where the project has them fade. */
async function fadeAll(
  deps: Searching,
  { project }: Pick<Call, 'project'>,
  { ranked, top_k }: Pick<Found, 'ranked'> & { top_k: number },
): Promise<readonly Scored[]> {
  if (!project.settings.decay) return ranked;
  const { fade } = await import('./fade.ts'); // few projects fade
  const first = ranked.slice(0, Math.max(judgedMin, 2 * top_k));
  const memories = await readAll(
    deps,
    project,
    first.map(({ id }) => id),
  );
  return fade(ranked, memories, deps.clock.now());
}

/** A model reads so many within a second or two. */
const judgedMin = 50;

async function rankAll(
  { store, clock }: Searching,
  project: Project,
  input: Parsed<'search_memories'> & { asking: Asking | null },
): Promise<Found> {
  const { query, reference_date, keyword_search } = input;
  const now = clock.now();
  const selection = selectionOf(input, now);
  const entities = entitiesNamed(selection.filter);
  const { size, languages } = await store.memories.outline(project, entities);
  const reading = await readQuery(query, languages);
  const read = readQuestion(query, reference_date ?? now, reading);
  const question = keyword_search ? wordsOnly(read) : read;
  const { candidates, contexts, nearest } = input.rerank ? efforts.rerank : efforts.usual;
  const reach = {
    limit: Math.max(candidates, input.top_k),
    contexts: keyword_search ? 0 : contexts,
  };
  const within = { tables: store, project, selection, size };
  const readAs = (memories: readonly Candidate[]) =>
    memories.map((memory) => readMemory(memory, question));
  // Other threads and servers look for the nearest while words are looked for here.
  const looking = lookNear(within, input.asking, Math.max(nearest, input.top_k));
  const found = await findCandidates(within, question, reach);
  const readings = readAs(found);
  const looked = await looking;
  if ('warning' in looked) {
    return { ranked: wordsAlone(rank(readings, { question, size })), ...looked };
  }
  const { asked } = looked;
  // Loaded late, as most stores have no model.
  const { joinNear } = await import('../meaning/join-near.ts');
  const { fuse } = await import('../meaning/fuse.ts');
  const near = await joinNear(within, asked, { found, nearest: looked.nearest });
  const ranked = rank([...readings, ...readAs(near.candidates)], { question, size });
  return { ranked: fuse(ranked, { ...near, scale: asked.space.scale }), warning: null };
}

type Looked = { asked: AskedMeaning; nearest: Nearest } | { warning: string | null };

/** The nearest to the question, once its vector is there, or why there are none. */
function lookNear(within: Within, asking: Asking | null, limit: number): Promise<Looked> {
  const looking =
    asking === null ? Promise.resolve({ warning: null }) : look(within, asking, limit);
  looking.catch(() => {}); // whoever awaits it hears of a failure
  return looking;
}

async function look(
  { tables, project, selection, size }: Within,
  asking: Asking,
  limit: number,
): Promise<Looked> {
  const begun = await asking;
  if ('warning' in begun) return begun;
  const { space } = begun;
  // While the model reads the question, the vectors to compare with are brought to hand.
  const gathered = await tables.vectors.gather(project, selection, { space, size });
  const answer = await begun.answer;
  if ('warning' in answer) return answer;
  const asked = { space, ...answer };
  const query = { ...asked, gathered, size, limit };
  return { asked, nearest: await tables.vectors.nearest(project, selection, query) };
}

type Within = {
  tables: Searching['store'];
  project: Project;
  selection: Selection;
  /** How many memories may be of it. */
  size: number;
};

/**
 * How many memories are scored, of how many the context is read as well, and how many are looked
 * for by meaning, where a model can tell. `usual` is enough that
 * what belongs on top is among them, and few enough to be scored in milliseconds
 * (test/bench/README.md: 300 and 50 find no more). `rerank` looks further down, for stores in which
 * a question's words are in very many memories.
 */
const efforts = {
  usual: { candidates: 200, contexts: 20, nearest: 50 },
  rerank: { candidates: 1000, contexts: 100, nearest: 200 },
} as const;

function breakdownOf(
  { parts }: Scored,
  fields: readonly string[] | undefined,
): { score_breakdown?: ScoreBreakdown } {
  if (fields !== undefined && !fields.includes('score_breakdown')) return {};
  return { score_breakdown: parts };
}
