import type { Candidate, Project, RunPlace, Selection, Tables, Times } from '../ports.ts';
import { type Days, toInstant } from './calendar.ts';
import type { AskedDate } from './dates.ts';
import { reach } from './neighbours.ts';
import type { Question } from './question.ts';

type Finding = 'candidates' | 'newest' | 'happening' | 'atPlaces';
type Within = {
  tables: { memories: Pick<Tables['memories'], Finding> };
  project: Project;
  selection: Selection;
  /** How many memories may be of it. */
  size: number;
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
  const { tables, project, selection, size } = within;
  const { terms, dates } = question;
  const dated: Candidate[] = [];
  const parts: { made: readonly Times[]; limit: number }[] = [];
  for (const date of dates) {
    const newest = await findNewest(within, date);
    if (newest.length >= datedMax) parts.push({ made: date.map(timesOf), limit: datedMax });
    dated.push(...newest, ...(await findHappening(within, date)));
  }
  const query = { terms, limit, size, parts };
  const telling = await tables.memories.candidates(project, selection, query);
  const candidates = unique([...telling, ...dated]);
  return [...candidates, ...(await findContext(within, candidates, contexts))];
}

/** Of a month or a year, many are told apart by words only; of a day or a week these are all. */
const datedMax = 100;

async function findNewest(
  { tables: { memories }, project, selection }: Within,
  date: AskedDate,
): Promise<Candidate[]> {
  const newest: Candidate[] = [];
  // One after the other, the latest first: each is looked up where memories are kept by time.
  for (const days of date) {
    const made = { ...timesOf(days), limit: datedMax - newest.length };
    newest.push(...(await memories.newest(project, selection, made)));
    if (newest.length >= datedMax) break;
  }
  return newest;
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
  for (const days of date) {
    const within = { ...timesOf(days), limit: datedMax - found.length };
    found.push(...(await memories.happening(project, selection, within)));
    if (found.length >= datedMax) break;
  }
  return found;
}

function timesOf({ from, to }: Days): Times {
  return { from: toInstant(from), to: toInstant(to + 1) };
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
