import { isObject } from '../../contract/is-object.ts';
import { parseFilter } from '../../contract/schemas/filter.ts';
import { FilterError } from '../../contract/schemas/filter-value.ts';
import { type MemorySort, memorySorts } from '../../contract/schemas/memory.ts';
import { goTo, type Params, place, setParams } from '../parts/place.ts';
import type { TableSelection } from './rows.ts';

type Conditions = Record<string, unknown>;

/** What a menu sets: the parameter of the address, and the field of the filter. */
const fieldOfParam = {
  user_id: 'user_id',
  agent_id: 'agent_id',
  app_id: 'app_id',
  run_id: 'run_id',
  category: 'categories',
  type: 'type',
  source_class: 'source_class',
  pinned: 'pinned',
} as const;

export type MenuParam = keyof typeof fieldOfParam | 'start_date' | 'end_date';

const menuParams = Object.entries(fieldOfParam) as [keyof typeof fieldOfParam, string][];

/** What the address selects, and what in it can't be read. */
export function selectionOfParams(params: Params): { selection: TableSelection; problem: string } {
  const read = readFilters(params.filters);
  const filters = { ...menuConditions(params), ...read.conditions };
  const sort = memorySorts.find((name) => name === params.sort);
  const badSort = params.sort !== undefined && sort === undefined;
  const selection: TableSelection = {
    ...(params.keywords ? { keywords: params.keywords } : undefined),
    ...(Object.keys(filters).length > 0 ? { filters } : undefined),
    ...(params.show_expired === 'true' ? { show_expired: true } : undefined),
    ...(sort === undefined ? undefined : { sort }),
  };
  const sortProblem = badSort ? `sort: must be one of ${memorySorts.join(', ')}` : '';
  return { selection, problem: read.problem || filterProblem(filters) || sortProblem };
}

function readFilters(text: string | undefined): { conditions: Conditions; problem: string } {
  const conditions = parseObject(text ?? '{}');
  if (conditions !== null) return { conditions, problem: '' };
  return { conditions: {}, problem: 'filters: this is not a JSON object.' };
}

export function parseObject(text: string): Conditions | null {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** What the service would say to these conditions; nothing if it takes them. */
export function filterProblem(filters: Conditions): string {
  try {
    parseFilter(filters);
    return '';
  } catch (error) {
    if (error instanceof FilterError) return `filters: ${error.message}`;
    throw error;
  }
}

function menuConditions(params: Params): Conditions {
  const conditions: Conditions = {};
  for (const [param, field] of menuParams) {
    const value = params[param];
    if (value) conditions[field] = param === 'pinned' ? value === 'true' : value;
  }
  const { start_date, end_date } = params;
  if (start_date || end_date) {
    conditions.created_at = {
      ...(start_date ? { gte: start_date } : undefined),
      ...(end_date ? { lte: end_date } : undefined),
    };
  }
  return conditions;
}

/** The parameters for these conditions: those of menus by name, the others as JSON. */
export function paramsOfFilters(filters: Conditions): Params {
  const params: Record<string, string | undefined> = { ...noFilters };
  const conditions: Conditions = {};
  for (const [field, value] of Object.entries(filters)) {
    const param = menuParams.find(([, name]) => name === field)?.[0];
    const isPlain = param === 'pinned' ? typeof value === 'boolean' : typeof value === 'string';
    const days = field === 'created_at' ? daysOf(value) : null;
    if (param !== undefined && isPlain && value !== '') params[param] = String(value);
    else if (days !== null) Object.assign(params, days);
    else conditions[field] = value;
  }
  if (Object.keys(conditions).length > 0) params.filters = JSON.stringify(conditions);
  return params;
}

/** Null if they are more than two days between which something was stored. */
function daysOf(value: unknown): Params | null {
  if (!isObject(value)) return null;
  const { gte: start_date, lte: end_date, ...more } = value;
  const isDay = (one: unknown) =>
    one === undefined || (typeof one === 'string' && /^\d{4}-\d\d-\d\d$/.test(one));
  const isAny = start_date !== undefined || end_date !== undefined;
  if (!isAny || Object.keys(more).length > 0 || !isDay(start_date) || !isDay(end_date)) return null;
  return { start_date: start_date as string | undefined, end_date: end_date as string | undefined };
}

const noFilters: Params = {
  ...Object.fromEntries(menuParams.map(([param]) => [param, undefined])),
  start_date: undefined,
  end_date: undefined,
  filters: undefined,
};

export const noConditions: Params = {
  ...noFilters,
  keywords: undefined,
  show_expired: undefined,
};

/** Sets parameters of the list; a link to one memory names it in the path. */
export function setListParams(change: Params, { replace = false } = {}): void {
  const { path, params } = place.value;
  if (path === '') setParams(change, { replace });
  else goTo('memories', '', { ...params, open: path, ...change });
}

/** Shows other memories: what was open may not be among them. */
export function selectBy(change: Params): void {
  setListParams({ ...change, open: undefined });
}

/** The other direction of a column that is sorted by, otherwise the newest first. */
export function sortAfterClick(column: 'created_at' | 'updated_at', now?: MemorySort): MemorySort {
  return (now ?? '-created_at') === `-${column}` ? column : `-${column}`;
}
