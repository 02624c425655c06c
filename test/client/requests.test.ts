import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHttpInvoke, type Fetch } from '../../src/client/http-invoke.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { inputFromHttp, parseQueryString, versionHeader } from '../../src/contract/http-binding.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import { contract, isOperationName, type OperationName } from '../../src/contract.ts';
import { filterOf, type SelectionConditions } from '../../src/core/memory/selection.ts';
import { createRestApp } from '../../src/rest/app.ts';
import { type Described, describedIn } from '../rest/described-operations.ts';
import { type Draft, validDrafts } from '../rest/random-requests.ts';
import { goodKey, optionsFor } from '../rest/support.ts';
import { tries } from '../support/rounds.ts';

/** A failure names its own seed and path. */
const inputs = tries(40);

/** With which inputs the operations behind the service were called. */
const calls: { name: OperationName; input: Fields }[] = [];
const served = createRestApp(
  optionsFor(async (name, input) => {
    calls.push({ name, input: input as Fields });
    if (name === 'ping') return { status: 'ok', org_id: 'o', project_id: 'p' } as never;
    throw new ApiError('forbidden', 'seen');
  }),
);
const { all } = describedIn(await (await served.request('/openapi.json')).text());

const operations = all.flatMap((described): [OperationName, Described][] =>
  isOperationName(described.name) ? [[described.name, described]] : [],
);

const id = '01957f3a-0000-7000-8000-000000000001';
const pool = {
  memory_id: [id],
  event_id: [id],
  webhook_id: [id],
  memory_export_id: [id],
  email: ['ada@example.com'],
  entity_id: ['alice', 'al ice/x?#%é', '.well-known'],
  user_id: ['alice', '*', 'a&b=c'],
  expiration_date: ['2030-01-01', null],
  start_date: ['2026-01-01'],
  end_date: ['2026-01-31T10:00:00+02:00'],
  reference_date: ['2026-01-31'],
  url: ['https://example.com/hook'],
  event_types: [['memory:add'], ['memory_delete', 'memory:update']],
};

it('every operation is tried', () => {
  expect(operations.map(([name]) => name).sort()).toEqual(Object.keys(contract).sort());
});

describe.each(operations)('%s', (name, described) => {
  it('reaches mneme with the input that it was called with', async () => {
    await holds({ name, described, isMneme: true }, (input) => input);
  });

  it('reaches any other server with an input that means the same', async () => {
    const selects = 'filters' in contract[name].input.shape;
    await holds({ name, described, isMneme: false }, selects ? meaningOf : (input) => input);
  });
});

type Tried = { name: OperationName; described: Described; isMneme: boolean };
type Fields = Record<string, unknown>;

/** Compares what a server is called with to what the client is called with. */
async function holds(
  { name, described, isMneme }: Tried,
  compared: (input: Fields) => unknown,
): Promise<void> {
  const record: Operation = contract[name];
  const property = fc.asyncProperty(validDrafts(described, pool), async (draft) => {
    const given = inputOf(record, draft);
    const expected = readOrNull(record, given);
    fc.pre(expected !== null && !isRefused(record, { given, isMneme }));

    const reached = await callThrough(name, { given, isMneme });

    expect(reached.map((input) => compared(parseInput(record, input)))).toEqual([
      compared(expected),
    ]);
  });

  await fc.assert(property, inputs);
}

function inputOf({ routes }: Operation, { params, query, body }: Draft): Fields {
  const [route = { carries: 'body' as const }] = routes;
  const decoded = Object.entries(params).map(([field, text]) => [field, decodeURIComponent(text)]);
  const json = body !== null && 'json' in body ? body.json : {};
  const search = parseQueryString(new URLSearchParams(query).toString());
  return inputFromHttp(route, { params: Object.fromEntries(decoded), query: search, body: json });
}

function readOrNull(record: Operation, input: Fields): Fields | null {
  try {
    return parseInput(record, input);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** No path can hold these; and deletes by filter go to servers that are known to read filters. */
function isRefused({ routes }: Operation, { given, isMneme }: { given: Fields; isMneme: boolean }) {
  const isDelete = routes[0]?.method === 'DELETE';
  const wipes = ['user_id', 'agent_id', 'app_id', 'run_id'].every((field) => given[field] === '*');
  const dotted = Object.values(given).some((value) => value === '.' || value === '..');
  return dotted || (isDelete && !isMneme && (given.filters !== undefined || wipes));
}

/** The inputs with which the operation is called behind a REST service. */
async function callThrough(
  name: OperationName,
  { given, isMneme }: { given: Fields; isMneme: boolean },
): Promise<Fields[]> {
  calls.length = 0;
  const fetch: Fetch = async (url, init) => {
    const answer = await served.request(url, init);
    if (!isMneme) answer.headers.delete(versionHeader);
    return answer;
  };
  const invoke = createHttpInvoke({ base_url: 'http://remote.test', api_key: goodKey, fetch });
  await invoke(name, given).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'forbidden')) throw error;
  });
  return calls.flatMap((call) => (call.name === name ? [call.input] : []));
}

/** Conditions mean the same beside filters and inside them. */
function meaningOf(input: Fields): unknown {
  const { filters: _, ...rest } = input;
  const others = Object.entries(rest).filter(([field]) => !conditionFields.includes(field));
  return { ...Object.fromEntries(others), filter: flat(filterOf(input as SelectionConditions)) };
}

const conditionFields = [
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
  'entity_type',
  'entity_id',
  'categories',
  'metadata',
  'keywords',
  'start_date',
  'end_date',
];

function flat(filter: Filter): Filter {
  if ('any' in filter) return { any: filter.any.map(flat) };
  if ('none' in filter) return { none: filter.none.map(flat) };
  if (!('all' in filter)) return filter;
  const parts = filter.all.map(flat).flatMap((part) => ('all' in part ? part.all : [part]));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { all: parts };
}
