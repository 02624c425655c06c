import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { ApiError, invalid } from '../../contract/errors.ts';
import type { Output } from '../../contract.ts';
import { oneLine } from '../results/text.ts';
import { presentItem } from '../results/views.ts';
import { askInForm, isFormValid, signedRequestFor } from './confirmation-form.ts';
import { signRequest, verifyToken } from './signed-token.ts';
import type { ToolCall } from './tool-call.ts';
import { toToolResult } from './tool-result.ts';

/** A model repeats its call at once. */
const tokenLifetimeMs = 5 * 60 * 1000;

const samplesShown = 3;

/** What would be deleted; `total` is null when it cannot be counted. */
type DeletePreview = { results: Output<'get_memories'>['results']; total: number | null };

/**
 * Stops a bulk delete that is a dry run or not confirmed yet, and returns what the client should
 * see instead; null lets the call go on. A client that supports forms asks its user; any other
 * gets a token, which the repeated call must carry.
 */
export async function confirmBulkDelete(
  call: ToolCall,
): Promise<CallToolResult | InputRequiredResult | null> {
  const { record, faceArguments, confirmation, options } = call;
  if (record.tool.confirm === undefined) return null;
  const asks = options.confirm_destructive;
  if (!asks && !faceArguments.dry_run) return null;
  const preview = await previewDelete(call, record.tool.confirm(call.parsed));
  if (faceArguments.dry_run)
    return previewResult(call, preview, { message: 'Dry run: nothing was deleted.' });
  if (preview.total === 0 && record.operation.scope === 'memories:write') {
    return nothingToDelete(call, preview);
  }
  // An entity without memories is only a name; projects and organizations are more than their
  // memories.
  if (preview.total === 0 && record.operation.scope === 'entities:write') return null;
  if (faceArguments.confirm !== undefined) return checkConfirmToken(call, faceArguments.confirm);
  if (confirmation.state !== undefined) return checkFormReply(call, preview, confirmation.state);
  return confirmation.elicits
    ? elicitConfirmation(call, preview)
    : issueConfirmToken(call, preview);
}

async function previewDelete(
  call: ToolCall,
  filters: Readonly<Record<string, unknown>> | null,
): Promise<DeletePreview> {
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
    show_waiting: true,
    latest_only: false,
  };
  return options.invoke('get_memories', input, { caller: options.caller, signal });
}

async function checkConfirmToken(call: ToolCall, token: string): Promise<null> {
  if (verifyToken(token, await signedRequestFor(call, 'token'))) return null;
  throw invalid(
    'confirm',
    'the token has expired or belongs to another request; nothing was deleted. ' +
      'Call again without confirm for a new one',
  );
}

async function checkFormReply(call: ToolCall, preview: DeletePreview, state: string) {
  if (!(await isFormValid(call, state))) {
    throw invalid('confirm', 'the question has expired; nothing was deleted. Call again');
  }
  if (call.confirmation.answer === 'confirmed') return null;
  return previewResult(call, preview, {
    message: 'The user did not confirm: nothing was deleted.',
  });
}

function elicitConfirmation(call: ToolCall, preview: DeletePreview): Promise<InputRequiredResult> {
  const message = `Delete ${describeDelete(call, preview)}? This cannot be undone.`;
  return askInForm(call, { message, title: 'Delete', description: 'Yes, delete' });
}

async function issueConfirmToken(call: ToolCall, preview: DeletePreview): Promise<CallToolResult> {
  const confirm = signRequest(await signedRequestFor(call, 'token'), tokenLifetimeMs);
  const next = `Make sure the user wants this, then repeat the call with confirm: "${confirm}"`;
  return previewResult(call, preview, {
    message: `Nothing was deleted yet. ${next} within 5 minutes.`,
    confirm,
  });
}

function nothingToDelete(call: ToolCall, preview: DeletePreview): CallToolResult {
  return previewResult(call, preview, { message: 'No memory matches: nothing was deleted.' });
}

type PreviewMessage = { message: string; confirm?: string };

function previewResult(
  call: ToolCall,
  preview: DeletePreview,
  outcome: PreviewMessage,
): CallToolResult {
  const how = { detailed: false, scope: call.scope };
  const samples = preview.results
    .slice(0, samplesShown)
    .map((item) => shortenMemory(presentItem(item, how)));
  return toToolResult({
    label: samples.length > 0 ? 'Stored memories, samples' : null,
    lead: `${describeDelete(call, preview)} would be deleted. ${outcome.message}`,
    scope: call.scope,
    facts: { ...outcome, would_delete: preview.total, samples },
    items: samples,
    notes: [],
  });
}

/** Describes what a delete would take: how many memories, and whose or matching what. */
function describeDelete({ record, parsed, scope }: ToolCall, { total }: DeletePreview): string {
  const { entity_type, entity_id, filters } = parsed;
  if (total === null)
    return `organization ${quoteJson(parsed.org_id)} with its projects and memories`;
  const count = `${total} ${total === 1 ? 'memory' : 'memories'}`;
  if (record.operation.scope === 'projects:write') {
    return `project ${quoteJson(parsed.project_id)} with ${count}`;
  }
  if (entity_id !== undefined) return `${entity_type} ${quoteJson(entity_id)} with ${count}`;
  const ids = Object.entries(scope).map(([field, id]) => ` of ${field} ${quoteJson(id)}`);
  const matching = filters === undefined ? '' : ` that match ${quoteJson(filters)}`;
  return `${count}${ids.join('')}${matching}`;
}

const quoteMaxChars = 300;

function quoteJson(value: unknown): string {
  const json = oneLine(JSON.stringify(value));
  return json.length > quoteMaxChars ? `${json.slice(0, quoteMaxChars).toWellFormed()}…` : json;
}

const sampleMaxChars = 200;

function shortenMemory(item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { memory } = item;
  if (typeof memory !== 'string' || memory.length <= sampleMaxChars) return { ...item };
  return { ...item, memory: `${memory.slice(0, sampleMaxChars).toWellFormed()}…` };
}
