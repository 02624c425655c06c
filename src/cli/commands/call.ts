import { text } from 'node:stream/consumers';
import { type App, createApp } from '../../app.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { contract, type OperationName } from '../../contract/index.ts';
import { isObject } from '../../contract/object.ts';
import type { Operation } from '../../contract/operation.ts';
import { readArguments as readToolArguments } from '../../mcp/arguments.ts';
import { applyScopeUnasked } from '../../mcp/scope.ts';
import { withFullIds } from '../../mcp/short-ids.ts';
import { records } from '../../mcp/tool.ts';
import type { RunCommand } from '../commands.ts';
import { configOf, logOf, scopeOf } from '../configured.ts';
import { type Field, fieldFlags, fieldsOf, inputFrom, operationNamed } from '../fields.ts';
import { type Arguments, readArguments } from '../flags.ts';
import { printJson } from '../output.ts';

/**
 * Where a request goes is the configuration's to say: there, a missing project is made. What the
 * operation itself is about is a field like any other.
 */
function isConfigured({ name, required }: Field): boolean {
  return !required && ['org_id', 'project_id'].includes(name);
}

export const run: RunCommand = async (_, { args, kinds }) => {
  const [first, ...rest] = args;
  const name = operationOf(first);
  const fields = fieldsOf(contract[name]).filter((field) => !isConfigured(field));
  const parsed = readArguments(rest, { ...kinds, ...fieldFlags(fields) });
  const [stray] = parsed.positionals;
  if (stray !== undefined) {
    throw new ApiError('invalid', `${JSON.stringify(stray.slice(0, 60))} belongs to no flag`);
  }
  const given = await readInput(parsed, fields);
  const loaded = await configOf(withoutFields(parsed, fields));
  const scope = { scope: scopeOf(loaded.values), lock_scope: loaded.values.lock_scope };
  const app = createApp(loaded.values, { log: logOf(loaded) });
  try {
    const input = await prepare(name, given, { ...scope, ...app });
    printJson(await app.invoke(name, input, { caller: app.caller }));
    return 0;
  } finally {
    await app.close();
  }
};

function operationOf(name: string | undefined): OperationName {
  if (name !== undefined && !name.startsWith('-')) return operationNamed(name);
  throw new ApiError('invalid', `name an operation first: ${Object.keys(contract).join(', ')}`);
}

async function readInput({ flags }: Arguments, fields: readonly Field[]) {
  const json = typeof flags.json === 'string' ? await readJsonFlag(flags.json) : {};
  return { ...json, ...inputFrom(flags, fields) };
}

async function readJsonFlag(given: string): Promise<Record<string, unknown>> {
  const source = given === '-' ? 'standard input' : 'flag --json';
  let value: unknown;
  try {
    value = JSON.parse(given === '-' ? await text(process.stdin) : given);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ApiError('invalid', `${source}: is no valid JSON: ${reason}`, { cause: error });
  }
  if (!isObject(value)) throw new ApiError('invalid', `${source}: must hold a JSON object`);
  return value;
}

type ScopeOptions = Parameters<typeof applyScopeUnasked>[2];
type Preparing = ScopeOptions & Pick<App, 'invoke' | 'caller'>;

/** Names are checked and the configured scope is filled in just as for the tool of that name. */
async function prepare(name: OperationName, given: Record<string, unknown>, preparing: Preparing) {
  const operation: Operation = contract[name];
  const waits = 'async_mode' in operation.input.shape ? { async_mode: false } : {};
  const record = records.find((candidate) => candidate.name === name);
  if (record === undefined) return { ...waits, ...given };
  const { own, input } = readToolArguments(record, given);
  if (own.dry_run || own.confirm !== undefined) {
    throw invalid(own.dry_run ? 'dry_run' : 'confirm', 'belongs to the MCP tool, not to call');
  }
  const scoped = applyScopeUnasked(record, input, preparing);
  return { ...waits, ...(await withFullIds(record, scoped, preparing)) };
}

function withoutFields({ flags, positionals }: Arguments, fields: readonly Field[]): Arguments {
  const names = fields.map(({ name }) => name);
  const rest = Object.entries(flags).filter(([name]) => !names.includes(name.split('.')[0] ?? ''));
  return { flags: Object.fromEntries(rest), positionals };
}
