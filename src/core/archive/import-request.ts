import { checkArchiveHeader } from '../../contract/archive/archive-line.ts';
import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { limits } from '../../contract/limits.ts';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Output, Parsed } from '../../contract.ts';
import type { Deps, ProjectCall } from '../ports/index.ts';
import { type ImportLinesOptions, importLines } from './import-lines.ts';
import type { ImportReport } from './import-report.ts';
import { type ArchiveRecord, inBatches, type SizedLine } from './read-lines.ts';
import { readServerMemory } from './read-server-memory.ts';

type ImportRequest = Parsed<'import_memories'>;

/**
 * Stores the lines of a request. Nobody's word is taken for an export being their own here, so all
 * of it counts as imported: a key that may only add could say anything of its memories otherwise.
 */
export async function importRequest(
  deps: Deps,
  input: ImportRequest,
  { project }: Pick<ProjectCall, 'project'>,
): Promise<Output<'import_memories'>> {
  const { dry_run, skip_invalid } = input;
  const problems: string[] = [];
  const onRefusal = (problem: string) => {
    if (problems.length < limits.import_problems_max) problems.push(problem);
  };
  const options = { project, dry_run, skip_invalid, onRefusal };
  const report = await (input.format === 'mneme'
    ? importLines(deps, inBatches(archiveLinesIn(input)), options)
    : importGraph(deps, input, options));
  return answerOf(report, problems);
}

async function importGraph(
  deps: Deps,
  input: ImportRequest,
  options: ImportLinesOptions,
): Promise<ImportReport> {
  let unchanged = 0;
  const onUnchanged = (count: number) => {
    unchanged += count;
  };
  const scope = { project: options.project, ids: ownersIn(input) };
  const batches = readServerMemory(linesOf(input.lines), { ...deps, scope, onUnchanged });
  const report = await importLines(deps, batches, { ...options, begins_history: true });
  report.memories.unchanged += unchanged;
  return report;
}

/** Its lines name nobody. */
function ownersIn(input: ImportRequest): EntityIds {
  const { user_id = null, agent_id = null, app_id = null, run_id = null } = input;
  const ids: EntityIds = { user_id, agent_id, app_id, run_id };
  if (entityIdFields.some((field) => ids[field] !== null)) return ids;
  const message = `at least one of ${entityIdFields.join(', ')} is required`;
  throw new ApiError('invalid', `user_id: ${message}`, { fields: { user_id: [message] } });
}

/** The header may be among them, with which their file begins. */
function archiveLinesIn(input: ImportRequest): AsyncGenerator<SizedLine<ArchiveRecord>> {
  const [first, ...rest] = input.lines;
  if (!isObject(first) || !('mneme' in first)) return linesOf(input.lines);
  checkArchiveHeader(first);
  return linesOf(rest, 2);
}

/** Their size is that of the request, which is small enough for one transaction. */
async function* linesOf(
  values: readonly unknown[],
  start = 1,
): AsyncGenerator<SizedLine<ArchiveRecord>> {
  for (const [at, value] of values.entries()) {
    yield { found: { place: `line ${start + at}`, value }, size: 0 };
  }
}

function answerOf(report: ImportReport, problems: string[]): Output<'import_memories'> {
  const { entities, memories, versions, history, feedback, refused, redacted, ahead } = report;
  const tallies = { entities, memories, versions, history, feedback };
  const not_trusted = report.not_trusted.memories;
  return { ...tallies, refused, problems, redacted, ahead, not_trusted };
}
