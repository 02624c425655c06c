import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
} from '@modelcontextprotocol/server';
import { ApiError, invalid } from '../contract/errors.ts';
import type { Output } from '../contract.ts';
import { toResult } from './present.ts';
import { oneLine } from './text.ts';
import { type Confirmation, createToken, isConfirmed } from './token.ts';
import type { ToolCall } from './tool-call.ts';
import { shown } from './view.ts';

/** A model repeats its call at once; people take their time over a form. */
const tokenLifetimeMs = 5 * 60 * 1000;
const formLifetimeMs = 15 * 60 * 1000;

const samplesShown = 3;

/** What would go; `total` is null where no list can tell. */
type Preview = { results: Output<'get_memories'>['results']; total: number | null };

/**
 * Stops a bulk delete that is only a dry run or that nobody has confirmed yet, and answers what the
 * client should see instead; null lets the call go on. A client that can show a form asks its
 * user; any other gets a token, which the repeated call must carry.
 */
export async function confirmBulk(
  call: ToolCall,
): Promise<CallToolResult | InputRequiredResult | null> {
  const { record, faceArguments: own, confirmation: asked, options } = call;
  if (record.tool.confirm === undefined) return null;
  const asks = options.confirm_destructive;
  if (!asks && !own.dry_run) return null;
  const preview = await findDoomed(call, record.tool.confirm(call.parsed));
  if (own.dry_run) return answer(call, preview, { message: 'Dry run: nothing was deleted.' });
  if (preview.total === 0 && record.operation.scope === 'memories:write') {
    return nothing(call, preview);
  }
  // An entity without memories is a name; a project or an organization is more than its memories.
  if (preview.total === 0 && record.operation.scope === 'entities:write') return null;
  if (own.confirm !== undefined) return checkToken(call, own.confirm);
  if (asked.state !== undefined) return checkForm(call, preview, asked.state);
  return asked.elicits ? askUser(call, preview) : askModel(call, preview);
}

async function findDoomed(
  call: ToolCall,
  filters: Readonly<Record<string, unknown>> | null,
): Promise<Preview> {
  if (filters === null) return { results: [], total: null };
  if (Array.isArray(filters.AND) && filters.AND.length === 0) {
    throw new ApiError('invalid', 'name at least one condition; nothing was deleted');
  }
  const { options, signal, parsed } = call;
  const input = {
    filters,
    org_id: parsed.org_id,
    project_id: parsed.project_id,
    page_size: samplesShown,
    show_expired: true,
    latest_only: false,
  };
  return options.invoke('get_memories', input, { caller: options.caller, signal });
}

async function checkToken(call: ToolCall, token: string): Promise<null> {
  if (isConfirmed(token, await confirmationOf(call, 'token'))) return null;
  throw invalid(
    'confirm',
    'the token has expired or belongs to another request; nothing was deleted. ' +
      'Call again without confirm for a new one',
  );
}

async function checkForm(call: ToolCall, preview: Preview, state: string) {
  if (!isConfirmed(state, await confirmationOf(call, 'form'))) {
    throw invalid('confirm', 'the question has expired; nothing was deleted. Call again');
  }
  if (call.confirmation.answer === 'confirmed') return null;
  return answer(call, preview, { message: 'The user did not confirm: nothing was deleted.' });
}

async function askUser(call: ToolCall, preview: Preview): Promise<InputRequiredResult> {
  const confirm = inputRequired.elicit({
    message: `Delete ${doomedOf(call, preview)}? This cannot be undone.`,
    requestedSchema: {
      type: 'object',
      properties: {
        confirm: { type: 'boolean', title: 'Delete', description: 'Yes, delete' },
      },
      required: ['confirm'],
    },
  });
  const state = createToken(await confirmationOf(call, 'form'), formLifetimeMs);
  return inputRequired({ inputRequests: { confirm }, requestState: state });
}

async function askModel(call: ToolCall, preview: Preview): Promise<CallToolResult> {
  const confirm = createToken(await confirmationOf(call, 'token'), tokenLifetimeMs);
  const next = `Make sure the user wants this, then repeat the call with confirm: "${confirm}"`;
  return answer(call, preview, {
    message: `Nothing was deleted yet. ${next} within 5 minutes.`,
    confirm,
  });
}

/** The exact request that is confirmed: whose, tool, arguments as read, scope among them. */
async function confirmationOf(call: ToolCall, by: 'token' | 'form'): Promise<Confirmation> {
  const { options, record, parsed } = call;
  const request = { by, caller: options.caller, tool: record.name, input: parsed };
  return { secret: await options.secret(), request, now: options.now() };
}

function nothing(call: ToolCall, preview: Preview): CallToolResult {
  return answer(call, preview, { message: 'No memory matches: nothing was deleted.' });
}

type Said = { message: string; confirm?: string };

function answer(call: ToolCall, preview: Preview, said: Said): CallToolResult {
  const how = { detailed: false, scope: call.scope };
  const samples = preview.results.slice(0, samplesShown).map((item) => shorten(shown(item, how)));
  return toResult({
    label: samples.length > 0 ? 'Stored memories, samples' : null,
    lead: `${doomedOf(call, preview)} would go. ${said.message}`,
    scope: call.scope,
    facts: { ...said, would_delete: preview.total, samples },
    items: samples,
    notes: [],
  });
}

/** What a delete would take, in words: how many memories, and whose or matching what. */
function doomedOf({ record, parsed, scope }: ToolCall, { total }: Preview): string {
  const { entity_type, entity_id, filters } = parsed;
  if (total === null) return `organization ${quoted(parsed.org_id)} with its projects and memories`;
  const count = `${total} ${total === 1 ? 'memory' : 'memories'}`;
  if (record.operation.scope === 'projects:write') {
    return `project ${quoted(parsed.project_id)} with ${count}`;
  }
  if (entity_id !== undefined) return `${entity_type} ${quoted(entity_id)} with ${count}`;
  const ids = Object.entries(scope).map(([field, id]) => ` of ${field} ${quoted(id)}`);
  const matching = filters === undefined ? '' : ` that match ${quoted(filters)}`;
  return `${count}${ids.join('')}${matching}`;
}

const quotedChars = 300;

function quoted(value: unknown): string {
  const json = oneLine(JSON.stringify(value));
  return json.length > quotedChars ? `${json.slice(0, quotedChars).toWellFormed()}…` : json;
}

const sampleChars = 200;

function shorten(item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { memory } = item;
  if (typeof memory !== 'string' || memory.length <= sampleChars) return { ...item };
  return { ...item, memory: `${memory.slice(0, sampleChars).toWellFormed()}…` };
}
