import { ApiError } from '../../contract/errors.ts';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Output, Parsed } from '../../contract.ts';
import { compileSchema } from '../export/schema-shape.ts';
import { recordEvent } from '../history/record.ts';
import { entityIdsOfFilter, entityOfCondition, filterOf } from '../memory/selection.ts';
import type { Deps, ProjectCall, StoredExport } from '../ports/index.ts';
import { findPastTime } from '../versions/read-past.ts';

/** Begins an export, which a job fills. */
export async function createExport(
  deps: Deps,
  { schema, export_instructions, ...input }: Parsed<'create_export'>,
  { project }: ProjectCall,
): Promise<Output<'create_export'>> {
  const { store, clock, ids, wake } = deps;
  compileSchema(schema);
  const scope = resolveExportScope(input);
  const past = await findPastTime(deps, project, input);
  const pending = { status: 'PENDING', completed_at: null } as const;
  const id = await store.transaction(async (tables) => {
    const unit = { tables, project };
    const event_id = await recordEvent({ clock, ids }, unit, {
      event_type: 'EXPORT',
      payload: { ...input, ...(export_instructions !== undefined && { export_instructions }) },
      ...pending,
      started_at: null,
      latency: null,
      ...scope.entityIds,
    });
    const created_at = clock.now();
    await tables.exports.insert(project, {
      ...pending,
      ...scope.entityIds,
      id: event_id,
      schema,
      filters: scope.filters,
      instructions: export_instructions ?? null,
      as_of: past?.as_of ?? null,
      valid_at: past?.valid_at ?? null,
      data: null,
      error: null,
      created_at,
    });
    const job = { id: ids.next(), kind: 'build_export', subject_id: event_id } as const;
    await tables.jobs.enqueue(project, { ...job, run_at: created_at });
    return event_id;
  });
  wake();
  const message = 'Memory export request received. The export will be ready in a few seconds.';
  return { message, id };
}

/** The named export, or else the newest of what is named. */
export async function getExport(
  { store }: Pick<Deps, 'store'>,
  { memory_export_id, ...input }: Parsed<'get_export'>,
  { project }: ProjectCall,
): Promise<Output<'get_export'>> {
  const { entityIds, filters } = resolveExportScope(input);
  const idFields = entityIdFields.filter((field) => entityIds[field] !== null);
  const record = await (memory_export_id === undefined
    ? store.exports.findLatest(project, {
        ...Object.fromEntries(idFields.map((field) => [field, entityIds[field]])),
        ...(filters !== null && { filters }),
      })
    : store.exports.find(project, memory_export_id));
  const isOthers = idFields.some((field) => record?.[field] !== entityIds[field]);
  if (record === null || isOthers)
    throw new ApiError('not_found', 'No memory export request found');
  return toExport(record);
}

type ExportRequestScope = Pick<Parsed<'get_export'>, 'filters' | keyof EntityIds>;

/**
 * The subject of an export: its entities, from its fields or its filter, and the filter if it says
 * more than that. So a request for the latest export finds it in either spelling.
 */
function resolveExportScope(input: ExportRequestScope): {
  entityIds: EntityIds;
  filters: Record<string, unknown> | null;
} {
  const filter = filterOf(input);
  const entityIds = entityIdsOfFilter(filter);
  const ownFields = entityIdFields.filter((field) => input[field] !== undefined);
  const conditions = [
    ...ownFields.map((field) => ({ [field]: input[field] })),
    ...[input.filters ?? []].flat(),
  ];
  const filterParts = 'all' in filter ? filter.all : [filter];
  const namesOnly = filterParts.every((part) => {
    const entity = entityOfCondition(part);
    return entity !== null && entityIds[entity.field] === entity.id;
  });
  const [condition, ...others] = conditions;
  if (namesOnly || condition === undefined) return { entityIds, filters: null };
  return { entityIds, filters: others.length === 0 ? condition : { AND: conditions } };
}

const nothingExported = 'The export holds no memories.';

/** No value anywhere: the schema of the caller decides what the data are. */
function isNothing(data: unknown): boolean {
  if (data === null || data === undefined || data === '') return true;
  return typeof data === 'object' && Object.values(data).every(isNothing);
}

function toExport({ id, status, data, error }: StoredExport): Output<'get_export'> {
  switch (status) {
    case 'SUCCEEDED':
      return {
        id,
        status,
        message: isNothing(data) ? nothingExported : 'The export is ready.',
        data,
      };
    case 'FAILED':
      return { id, status, message: `The export failed: ${error}`, data: null };
    default:
      return { id, status: 'PENDING', message: 'The export is being prepared.', data: null };
  }
}
