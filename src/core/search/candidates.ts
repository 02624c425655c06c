import { bm25 } from '../language/bm25.ts';
import type {
  Candidate,
  ProjectRef,
  RunPlace,
  Selection,
  Tables,
  TimeRange,
} from '../ports/index.ts';
import { type DayRange, dayToInstant } from './calendar.ts';
import { contextWindow } from './context-window.ts';
import type { ParsedQuery } from './query.ts';
import type { QueryDate } from './query-dates.ts';
import { type SearchTrace, tracedStage } from './search-trace.ts';

type CandidateQueries = 'listCandidates' | 'listNewest' | 'listByOccurrence' | 'listByRunPlaces';
type CandidateScope = {
  tables: { memories: Pick<Tables['memories'], CandidateQueries> };
  project: ProjectRef;
  selection: Selection;
  /** How many memories may be of it. */
  size: number;
};

/**
 * The memories that may answer the question: up to `limit` by its words, those of its dates, and
 * what was said around the likeliest `contexts` of them.
 */
export async function findCandidates(
  within: CandidateScope,
  question: ParsedQuery,
  { limit, contexts, trace, query: asked }: CandidateReach,
): Promise<Candidate[]> {
  const { tables, project, selection, size } = within;
  const { terms, dates } = question;
  const dated: Candidate[] = [];
  const parts: { made: readonly TimeRange[]; limit: number }[] = [];
  for (const date of dates) {
    const newest = await findNewest(within, date);
    if (newest.length >= datedCandidatesMax)
      parts.push({ made: date.map(toTimeRange), limit: datedCandidatesMax });
    dated.push(...newest, ...(await findOccurring(within, date)));
  }
  const query = { terms, bm25, limit, size, parts };
  const telling = await tables.memories.listCandidates(project, selection, query);
  const candidates = uniqueById([...telling, ...dated]);
  const around = await findContext(within, candidates, contexts);
  trace?.push(tracedStage('words', telling, { query: asked, limit }));
  trace?.push(tracedStage('dates', dated, { query: asked }));
  trace?.push(tracedStage('neighbours', around, { query: asked }));
  return [...candidates, ...around];
}

type CandidateReach = {
  limit: number;
  contexts: number;
  /** The question, for those who want it explained. */
  query: string;
  trace?: SearchTrace | undefined;
};

/** Of a month or a year, many are told apart by words only; of a day or a week these are all. */
const datedCandidatesMax = 100;

async function findNewest(
  { tables: { memories }, project, selection }: CandidateScope,
  date: QueryDate,
): Promise<Candidate[]> {
  const newest: Candidate[] = [];
  // One after the other, the latest first: each is looked up where memories are kept by time.
  for (const days of date) {
    const made = { ...toTimeRange(days), limit: datedCandidatesMax - newest.length };
    newest.push(...(await memories.listNewest(project, selection, made)));
    if (newest.length >= datedCandidatesMax) break;
  }
  return newest;
}

/**
 * What begins on the days. What is known less exactly than it is asked for, such as the year alone,
 * is left to words.
 */
async function findOccurring(
  { tables: { memories }, project, selection }: CandidateScope,
  date: QueryDate,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const days of date) {
    const within = { ...toTimeRange(days), limit: datedCandidatesMax - found.length };
    found.push(...(await memories.listByOccurrence(project, selection, within)));
    if (found.length >= datedCandidatesMax) break;
  }
  return found;
}

function toTimeRange({ from, to }: DayRange): TimeRange {
  return { from: dayToInstant(from), to: dayToInstant(to + 1) };
}

/** What was said around the first candidates, as far as the selection holds it. */
async function findContext(
  { tables: { memories }, project, selection }: CandidateScope,
  candidates: readonly Candidate[],
  contexts: number,
): Promise<Candidate[]> {
  const wanted = new Map<string, Set<number>>();
  for (const { run_id, run_position: place } of candidates.slice(0, contexts)) {
    if (run_id === null || place === null) continue;
    const places = wanted.get(run_id) ?? new Set();
    wanted.set(run_id, places);
    for (let step = -contextWindow; step <= contextWindow; step += 1) places.add(place + step);
  }
  for (const { run_id, run_position: place } of candidates) {
    if (run_id !== null && place !== null) wanted.get(run_id)?.delete(place);
  }
  const places: RunPlace[] = [];
  for (const [run_id, around] of wanted)
    for (const place of around) places.push({ run_id, run_position: place });
  return memories.listByRunPlaces(project, selection, places);
}

function uniqueById(memories: readonly Candidate[]): Candidate[] {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()];
}
