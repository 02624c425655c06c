import { text } from 'node:stream/consumers';
import type { App } from '../../app/create-app.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { isReadOnly, type Operation } from '../../contract/operation.ts';
import { applyScopeUnattended } from '../../contract/scope/apply-scope.ts';
import { withFullIds } from '../../contract/scope/full-ids.ts';
import { configuredScope, type ScopeConfig } from '../../contract/scope/memory-scope.ts';
import { contract, type OperationName } from '../../contract.ts';
import { toolRecords } from '../../mcp/tools/select-tools.ts';
import { readToolArguments } from '../../mcp/tools/tool-arguments.ts';
import type { RunCommand } from '../command-line/command.ts';
import { type CommandArguments, parseCommandLine } from '../command-line/flags.ts';
import {
  fieldFlags,
  inputFromFlags,
  type OperationField,
  operationFields,
  resolveOperationName,
} from '../command-line/operation-fields.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { withApp } from '../context/with-app.ts';
import { printJson } from '../io/output.ts';

/**
 * The configuration decides where a request goes, and a missing project is created there. Ids that
 * an operation requires are ordinary fields.
 */
function isConfiguredField({ name, required }: OperationField): boolean {
  return !required && ['org_id', 'project_id'].includes(name);
}

export const run: RunCommand = async (_, { args, kinds }) => {
  const [first, ...words] = args;
  const name = readOperationName(first);
  const fields = operationFields(contract[name]).filter((field) => !isConfiguredField(field));
  const line = parseCommandLine(words, { ...kinds, ...fieldFlags(fields) });
  const [stray] = line.positionals;
  if (stray !== undefined) {
    throw new ApiError(
      'invalid',
      `unexpected ${JSON.stringify(stray.slice(0, 60))}; fields are flags: --field value`,
    );
  }
  const callInput = await readCallInput(line, fields);
  const loaded = await loadCommandConfig(omitFields(line, fields));
  const scope = { scope: configuredScope(loaded.values), lock_scope: loaded.values.lock_scope };
  // Reading a mistyped project must not create it.
  const creates_project = !isReadOnly(contract[name]);
  return withApp({ ...loaded, creates_project }, async (app) => {
    const { invoke, caller } = app;
    const input = await prepareInput(name, callInput, { ...scope, invoke, caller });
    printJson(await invoke(name, input, { caller }));
    return 0;
  });
};

function readOperationName(name: string | undefined): OperationName {
  if (name !== undefined && !name.startsWith('-')) return resolveOperationName(name);
  throw new UsageError(`an operation is missing; use one of ${Object.keys(contract).join(', ')}`);
}

async function readCallInput({ flags }: CommandArguments, fields: readonly OperationField[]) {
  const json = typeof flags.json === 'string' ? await readJsonFlag(flags.json) : {};
  return { ...json, ...inputFromFlags(flags, fields) };
}

async function readJsonFlag(json: string): Promise<Record<string, unknown>> {
  const source = json === '-' ? 'standard input' : 'flag --json';
  let value: unknown;
  try {
    value = JSON.parse(json === '-' ? await text(process.stdin) : json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ApiError('invalid', `${source}: not valid JSON: ${reason}`, { cause: error });
  }
  if (!isObject(value)) throw new ApiError('invalid', `${source}: must hold a JSON object`);
  return value;
}

type Preparing = ScopeConfig & Pick<App, 'invoke' | 'caller'>;

async function prepareInput(
  name: OperationName,
  callInput: Record<string, unknown>,
  preparing: Preparing,
) {
  const operation: Operation = contract[name];
  const waits = 'async_mode' in operation.input.shape ? { async_mode: false } : {};
  const input = { ...waits, ...scopedInput(name, callInput, preparing) };
  return withFullIds({ operation }, input, preparing);
}

/** Checks names and fills in the configured scope, exactly as for the tool of that name. */
function scopedInput(
  name: OperationName,
  callInput: Record<string, unknown>,
  preparing: Preparing,
): Record<string, unknown> {
  const record = toolRecords.find((candidate) => candidate.name === name);
  if (record === undefined) return callInput;
  const { own, input } = readToolArguments(record, callInput);
  if (own.dry_run || own.confirm !== undefined) {
    throw invalid(
      own.dry_run ? 'dry_run' : 'confirm',
      'works only in the MCP tool, not in mneme call',
    );
  }
  return applyScopeUnattended(record, input, preparing);
}

function omitFields(
  { flags, positionals }: CommandArguments,
  fields: readonly OperationField[],
): CommandArguments {
  const names = fields.map(({ name }) => name);
  const others = Object.entries(flags).filter(
    ([name]) => !names.includes(name.split('.')[0] ?? ''),
  );
  return { flags: Object.fromEntries(others), positionals };
}
