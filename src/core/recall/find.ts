import type { Filter } from '../../contract/schemas/filter.ts';
import type { Candidate, Project, RunPlace, Selection, Tables } from '../ports.ts';
import { type Days, toInstant } from './calendar.ts';
import type { AskedDate } from './dates.ts';
import { reach } from './neighbours.ts';
import type { Question } from './question.ts';

type Finding = 'candidates' | 'newest' | 'happening' | 'atPlaces';
type Within = {
  tables: { memories: Pick<Tables['memories'], Finding> };
  project: Project;
  selection: Selection;
};

/**
 * The memories that may answer the question: up to `limit` by its words, those of its dates, and
 * what was said around the likeliest `contexts` of them.
 */
export async function findCandidates(
  within: Within,
  question: Question,
  { limit, contexts }: { limit: number; contexts: number },
): Promise<Candidate[]> {
  const { tables, project, selection } = within;
  const { terms, dates } = question;
  const dated: Candidate[] = [];
  const parts: { filter: Filter; limit: number }[] = [];
  for (const date of dates) {
    const newest = await findNewest(within, date);
    if (newest.length >= datedMax) parts.push({ filter: madeOnAny(date), limit: datedMax });
    dated.push(...newest, ...(await findHappening(within, date)));
  }
  const telling = await tables.memories.candidates(project, selection, { terms, limit, parts });
  const candidates = unique([...telling, ...dated]);
  return [...candidates, ...(await findContext(within, candidates, contexts))];
}

/** Of a month or a year, many are told apart by words only; of a day or a week these are all. */
const datedMax = 100;

async function findNewest(
  { tables: { memories }, project, selection }: Within,
  date: AskedDate,
): Promise<Candidate[]> {
  const on = (made: Filter) => ({ ...selection, filter: { all: [selection.filter, made] } });
  const newest: Candidate[] = [];
  // One after the other, the latest first: each is looked up where memories are kept by time.
  for (const days of date) {
    newest.push(...(await memories.newest(project, on(madeOn(days)), datedMax - newest.length)));
    if (newest.length >= datedMax) break;
  }
  return newest;
}

function madeOnAny(date: AskedDate): Filter {
  const made = date.map(madeOn);
  const [only, ...others] = made;
  return only !== undefined && others.length === 0 ? only : { any: made };
}

/**
 * What begins on the days. What is known less exactly than it is asked for, such as the year alone,
 * is left to words.
 */
async function findHappening(
  { tables: { memories }, project, selection }: Within,
  date: AskedDate,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { from, to } of date) {
    const days = { from: toInstant(from), to: toInstant(to + 1), limit: datedMax - found.length };
    found.push(...(await memories.happening(project, selection, days)));
    if (found.length >= datedMax) break;
  }
  return found;
}

function madeOn({ from, to }: Days): Filter {
  const made = (operator: 'gte' | 'lt', day: number): Filter => {
    return { field: 'created_at', path: [], operator, value: toInstant(day) };
  };
  return { all: [made('gte', from), made('lt', to + 1)] };
}

/** What was said around the first candidates, as far as the selection holds it. */
async function findContext(
  { tables: { memories }, project, selection }: Within,
  candidates: readonly Candidate[],
  contexts: number,
): Promise<Candidate[]> {
  const wanted = new Map<string, Set<number>>();
  for (const { run_id, place } of candidates.slice(0, contexts)) {
    if (run_id === null || place === null) continue;
    const places = wanted.get(run_id) ?? new Set();
    wanted.set(run_id, places);
    for (let step = -reach; step <= reach; step += 1) places.add(place + step);
  }
  for (const { run_id, place } of candidates) {
    if (run_id !== null && place !== null) wanted.get(run_id)?.delete(place);
  }
  const places: RunPlace[] = [];
  for (const [run_id, around] of wanted) for (const place of around) places.push({ run_id, place });
  return memories.atPlaces(project, selection, places);
}

function unique(memories: readonly Candidate[]): Candidate[] {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()];
}
