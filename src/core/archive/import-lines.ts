import { parseArchiveLine } from '../../contract/archive/archive-line.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ProjectSettings } from '../../contract/schemas/project.ts';
import { historyEntry } from '../history/record.ts';
import { indexTermsFor, withIndexTerms } from '../memory/index-terms.ts';
import type { Deps, ProjectRef, RecordedChange, StoredProject, Tables } from '../ports/index.ts';
import { checkNameIsFree, isNameTaken } from '../tenants/named-project.ts';
import { withBelievedTimes } from './believed-times.ts';
import {
  createImportReport,
  type ImportReport,
  type ImportTally,
  type LocatedLine,
  type RefusedLine,
} from './import-report.ts';
import { judgeLine } from './imported-origin.ts';
import { type ImportPlan, planBatch } from './plan-import.ts';
import type { ArchiveRecord } from './read-lines.ts';
import { type RedactionDeps, redactLine } from './redact-line.ts';

export type ImportLinesOptions = {
  /** The project that everything goes into, even lines from other projects. */
  project: StoredProject;
  /**
   * The lines are the importer's own export: their sources, statuses and settings are kept. A
   * memory from any other file is trusted no more than an import.
   */
  is_trusted?: boolean;
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
  deps: ImportDeps,
  batches: AsyncIterable<readonly ArchiveRecord[]>,
  options: ImportLinesOptions,
): Promise<ImportReport> {
  const { store, readsLikeOrders } = deps;
  const { dry_run = false, is_trusted = false, project } = options;
  const report = createImportReport();
  const policy = { project, trust: project.settings, is_trusted, readsLikeOrders, dry_run };
  for await (const batch of batches) {
    const { lines, refused } = await checkBatch({ ...deps, is_trusted }, batch, report);
    reportRefused(refused, { report, options });
    const plan = dry_run
      ? await planBatch({ ...policy, tables: store }, lines)
      : await store.transaction(async (tables) => {
          const planned = await planBatch({ ...policy, tables }, lines);
          if (!options.skip_invalid) throwFirstRefused(planned.refused);
          if (options.begins_history) beginHistory(deps, planned);
          const change = { at: deps.clock.now(), event_id: null };
          await applyPlan({ tables, project, change }, planned);
          return planned;
        });
    reportRefused(plan.refused, { report, options });
    addToReport(plan, report);
    await importSettings(store, lines, { report, project, is_trusted, dry_run });
    options.onProgress?.(report);
  }
  return report;
}

type ImportDeps = Pick<Deps, 'store' | 'clock' | 'ids' | 'readsLikeOrders' | 'judgeOrders'> &
  RedactionDeps;
type CheckedBatch = { lines: LocatedLine[]; refused: RefusedLine[] };

async function checkBatch(
  deps: ImportDeps & { is_trusted: boolean },
  batch: readonly ArchiveRecord[],
  report: ImportReport,
): Promise<CheckedBatch> {
  const lines: LocatedLine[] = [];
  const refused: RefusedLine[] = [];
  for (const located of batch) {
    const { place } = located;
    try {
      if ('problem' in located) throw new ApiError('invalid', located.problem);
      const { line: open, redacted } = await redactLine(parseArchiveLine(located.value), deps);
      const { line, isAhead } = withBelievedTimes(open, deps.clock.now());
      if (report.complete) throw new ApiError('invalid', 'follows the end line of the export');
      if (line.kind === 'end') report.complete = true;
      else lines.push({ place, line, isAhead });
      await judgeLine(line, deps);
      if (redacted) report.redacted += 1;
      if (isAhead) report.ahead += 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push({ place, error });
    }
  }
  return { lines, refused };
}

function beginHistory(deps: ImportDeps, { memories, history }: ImportPlan): void {
  for (const memory of memories.insert) {
    history.put.push(historyEntry(deps, memory, { event: 'ADD', old_memory: null }));
    history.tally.added += 1;
  }
}

type Progress = { report: ImportReport; options: ImportLinesOptions };

function reportRefused(refused: readonly RefusedLine[], { report, options }: Progress): void {
  if (!options.skip_invalid && !options.dry_run) throwFirstRefused(refused);
  for (const { place, error } of refused) {
    report.refused += 1;
    options.onRefusal?.(lineProblem(place, error));
  }
}

function throwFirstRefused([first]: readonly RefusedLine[]): void {
  if (first === undefined) return;
  const { place, error } = first;
  throw new ApiError(error.code, lineProblem(place, error), { cause: error });
}

/** Where a problem is, which its own words may begin with: what comes from afar has no lines. */
function lineProblem(place: string, { message }: ApiError): string {
  return message.startsWith(`${place} `) ? message : `${place}: ${message}`;
}

type ImportUnitOfWork = { tables: Tables; project: ProjectRef; change: RecordedChange };

async function applyPlan(
  { tables, project, change }: ImportUnitOfWork,
  plan: ImportPlan,
): Promise<void> {
  await tables.archive.putEntities(project, plan.entities.put);
  const unit = { tables, project };
  const inserted = await withIndexTerms(unit, plan.memories.insert);
  await tables.archive.restoreMemories(project, inserted, change);
  await tables.versions.insert(project, await withIndexTerms(unit, plan.versions.put));
  for (const [id, patch] of plan.memories.update) {
    const { terms } = await indexTermsFor(unit, { ...patch, role: null, speaker: null });
    await tables.memories.update(project, id, { ...patch, terms, change });
  }
  const { relations } = plan.memories;
  await tables.relations.deleteByMemories(project, [...relations.keys()]);
  await tables.relations.insert(project, [...relations.values()].flat());
  await tables.history.insert(project, plan.history.put);
  for (const rating of plan.feedback.put) await tables.feedback.put(project, rating);
}

function addToReport(plan: ImportPlan, report: ImportReport): void {
  addTally(report.entities, plan.entities.tally);
  addTally(report.memories, plan.memories.tally);
  report.not_trusted.memories += plan.memories.lowered;
  addTally(report.versions, plan.versions.tally);
  addTally(report.history, plan.history.tally);
  addTally(report.feedback, plan.feedback.tally);
}

function addTally(sum: ImportTally, { added, updated, unchanged }: ImportTally): void {
  sum.added += added;
  sum.updated += updated;
  sum.unchanged += unchanged;
}

type SettingsTarget = {
  report: ImportReport;
  project: StoredProject;
  is_trusted: boolean;
  dry_run: boolean;
};

/**
 * A project that nobody has changed takes the settings of the one that was exported; otherwise the
 * later ones stay. Its name goes with its id, unless another project has it. Settings decide what
 * is trusted and how a model reads conversations, so only a trusted file brings them.
 */
async function importSettings(
  store: Deps['store'],
  lines: readonly LocatedLine[],
  { report, project, is_trusted, dry_run }: SettingsTarget,
): Promise<void> {
  for (const { line, isAhead } of lines) {
    if (line.kind !== 'project') continue;
    const current = (await store.projects.find(projectIds(project))) ?? project;
    const { updated_at } = line;
    const untouched = current.updated_at === current.created_at;
    if (!untouched && (isAhead || updated_at <= current.updated_at)) {
      report.project.unchanged += 1;
      continue;
    }
    const { name, description } = await nameAndDescription(store, line, current);
    const settings = mergeSettings(line.settings, current.settings);
    const changed = changedNames({ name, description, ...settings }, current);
    if (!is_trusted) {
      report.project.unchanged += 1;
      report.not_trusted.settings.push(...changed);
      continue;
    }
    report.project.updated += 1;
    report.settings.push(...changed);
    const patch = { name, description, settings, updated_at };
    if (dry_run) continue;
    await store.transaction(async (tables) => {
      const { org_id } = current;
      if (name !== current.name) await checkNameIsFree(tables, { org_id, name });
      await tables.projects.update(project, patch);
    });
  }
}

async function nameAndDescription(
  store: Deps['store'],
  line: Pick<StoredProject, 'project_id' | 'name' | 'description'>,
  current: StoredProject,
): Promise<Pick<StoredProject, 'name' | 'description'>> {
  if (line.project_id !== current.project_id) return current;
  const { name, description } = line;
  const { org_id } = current;
  if (name === current.name || !(await isNameTaken(store, { org_id, name }))) return line;
  return { name: current.name, description };
}

function changedNames(
  next: Readonly<Record<string, unknown>>,
  { name, description, settings }: StoredProject,
): string[] {
  const current: Readonly<Record<string, unknown>> = { name, description, ...settings };
  return Object.keys(next).filter(
    (key) => JSON.stringify(next[key]) !== JSON.stringify(current[key]),
  );
}

function projectIds({ org_id, project_id }: ProjectRef) {
  return { org_id, project_id };
}

/** What the line leaves out stays as it is. */
function mergeSettings(
  given: { [F in keyof ProjectSettings]?: ProjectSettings[F] | undefined },
  current: ProjectSettings,
): ProjectSettings {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(changes) };
}
