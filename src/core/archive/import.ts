import { parseArchiveLine } from '../../contract/archive.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ProjectSettings } from '../../contract/schemas/project.ts';
import { termsIn, withTerms } from '../memory/index-terms.ts';
import { historyEntry } from '../memory/record.ts';
import type { Deps, Project, StoredProject, Tables } from '../ports.ts';
import { type Admitting, admit } from './admit.ts';
import { type Placed, type Plan, planBatch, type Refusal } from './plan.ts';
import type { Found } from './read-lines.ts';
import { emptyReport, type ImportReport, type Tally } from './report.ts';

export type ImportOptions = {
  /** Where everything goes, whatever project the lines came from. */
  project: StoredProject;
  /** Checks every line and changes nothing. */
  dry_run?: boolean;
  /** Leaves out lines that are not valid or in conflict, instead of ending at the first. */
  skip_invalid?: boolean;
  /** The lines tell no history: each memory that is added begins one. */
  begins_history?: boolean;
  /** Told of each line that is left out. */
  onRefusal?: (problem: string) => void;
  /** Told after each batch; the report goes on growing. */
  onProgress?: (report: Readonly<ImportReport>) => void;
};

/**
 * Stores exported lines, each batch all or nothing, so that an import that was stopped is run again
 * and goes on: what is stored already is left alone. Throws at the first line that can't be taken.
 */
export async function importLines(
  deps: Importing,
  batches: AsyncIterable<readonly Found[]>,
  options: ImportOptions,
): Promise<ImportReport> {
  const { store } = deps;
  const { dry_run = false, project } = options;
  const report = emptyReport();
  for await (const batch of batches) {
    const { lines, refused } = readBatch(deps, batch, report);
    refuse(refused, { report, options });
    const plan = dry_run
      ? await planBatch({ tables: store, project, dry_run }, lines)
      : await store.transaction(async (tables) => {
          const planned = await planBatch({ tables, project, dry_run }, lines);
          if (!options.skip_invalid) throwFirst(planned.refused);
          if (options.begins_history) beginHistory(deps, planned);
          await carryOut({ tables, project }, planned);
          return planned;
        });
    refuse(plan.refused, { report, options });
    count(plan, report);
    await takeSettings(store, lines, { report, project, dry_run });
    options.onProgress?.(report);
  }
  return report;
}

type Importing = Pick<Deps, 'store' | 'clock' | 'ids'> & Admitting;
type Batch = { lines: Placed[]; refused: Refusal[] };

function readBatch(deps: Importing, batch: readonly Found[], report: ImportReport): Batch {
  const lines: Placed[] = [];
  const refused: Refusal[] = [];
  for (const found of batch) {
    const { place } = found;
    try {
      if ('problem' in found) throw new ApiError('invalid', found.problem);
      const { line, redacted } = admit(parseArchiveLine(found.value), deps);
      if (report.complete) throw new ApiError('invalid', 'stands behind the end');
      if (line.kind === 'end') report.complete = true;
      else lines.push({ place, line });
      if (redacted) report.redacted += 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push({ place, error });
    }
  }
  return { lines, refused };
}

function beginHistory(deps: Importing, { memories, history }: Plan): void {
  for (const memory of memories.insert) {
    history.put.push(historyEntry(deps, memory, { event: 'ADD', old_memory: null }));
    history.tally.added += 1;
  }
}

type Progress = { report: ImportReport; options: ImportOptions };

function refuse(refused: readonly Refusal[], { report, options }: Progress): void {
  if (!options.skip_invalid && !options.dry_run) throwFirst(refused);
  for (const { place, error } of refused) {
    report.refused += 1;
    options.onRefusal?.(said(place, error));
  }
}

function throwFirst([first]: readonly Refusal[]): void {
  if (first === undefined) return;
  const { place, error } = first;
  throw new ApiError(error.code, said(place, error), { cause: error });
}

/** Where a problem is, which its own words may begin with: what comes from afar has no lines. */
function said(place: string, { message }: ApiError): string {
  return message.startsWith(`${place} `) ? message : `${place}: ${message}`;
}

type Unit = { tables: Tables; project: Project };

async function carryOut({ tables, project }: Unit, plan: Plan): Promise<void> {
  await tables.archive.putEntities(project, plan.entities.put);
  const unit = { tables, project };
  await tables.archive.restoreMemories(project, await withTerms(unit, plan.memories.insert));
  for (const [id, patch] of plan.memories.update) {
    const { terms } = await termsIn(unit, { ...patch, role: null, speaker: null });
    await tables.memories.update(project, id, { ...patch, terms });
  }
  const { relations } = plan.memories;
  await tables.relations.deleteByMemories(project, [...relations.keys()]);
  await tables.relations.insert(project, [...relations.values()].flat());
  await tables.history.insert(project, plan.history.put);
  for (const rating of plan.feedback.put) await tables.feedback.put(project, rating);
}

function count(plan: Plan, report: ImportReport): void {
  add(report.entities, plan.entities.tally);
  add(report.memories, plan.memories.tally);
  add(report.history, plan.history.tally);
  add(report.feedback, plan.feedback.tally);
}

function add(sum: Tally, { added, updated, unchanged }: Tally): void {
  sum.added += added;
  sum.updated += updated;
  sum.unchanged += unchanged;
}

type Target = { report: ImportReport; project: StoredProject; dry_run: boolean };

/**
 * A project that nobody has changed takes the settings of the one that was exported; otherwise the
 * later ones stay. Its name goes with its id.
 */
async function takeSettings(
  store: Deps['store'],
  lines: readonly Placed[],
  { report, project, dry_run }: Target,
): Promise<void> {
  for (const { line } of lines) {
    if (line.kind !== 'project') continue;
    const current = (await store.projects.find(refOf(project))) ?? project;
    const { updated_at } = line;
    const untouched = current.updated_at === current.created_at;
    if (!untouched && updated_at <= current.updated_at) {
      report.project.unchanged += 1;
      continue;
    }
    report.project.updated += 1;
    const { name, description } = line.project_id === current.project_id ? line : current;
    const settings = settingsOf(line.settings, current.settings);
    const patch = { name, description, settings, updated_at };
    if (!dry_run) await store.transaction((tables) => tables.projects.update(project, patch));
  }
}

function refOf({ org_id, project_id }: Project) {
  return { org_id, project_id };
}

/** What the line leaves out stays as it is. */
function settingsOf(
  given: { [F in keyof ProjectSettings]?: ProjectSettings[F] | undefined },
  current: ProjectSettings,
): ProjectSettings {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(named) };
}
