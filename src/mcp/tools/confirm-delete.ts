import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { invalid } from '../../contract/errors.ts';
import { oneLine } from '../../contract/schemas/text.ts';
import { checkLockedEntity } from '../../contract/scope/locked-entity.ts';
import { lockedEntities } from '../../contract/scope/memory-scope.ts';
import { presentItem } from '../results/views.ts';
import { askInForm, isConfirmed, signConfirmation } from './confirmation-form.ts';
import {
  checkConditions,
  checkIdsExist,
  checkUnchanged,
  type DeletePreview,
  lastChange,
  previewDelete,
  readSeen,
  samplesShown,
} from './delete-preview.ts';
import type { ToolCall } from './tool-call.ts';
import { toToolResult } from './tool-result.ts';

/** A model repeats its call at once. */
const tokenLifetimeMs = 5 * 60 * 1000;

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
  const filters = record.tool.confirm(call.parsed);
  checkConditions(filters);
  if (call.parsed.entity_id !== undefined) {
    checkLockedEntity(call.parsed, lockedEntities(options.caller));
  }
  const reply = faceArguments.confirm ?? confirmation.state;
  if (reply === undefined || faceArguments.dry_run) await checkIdsExist(call);
  if (faceArguments.dry_run) {
    const message = 'Dry run: nothing was deleted.';
    return previewResult(call, await previewDelete(call, filters), { message });
  }
  // Before the count, so that what changes in between is seen as changed later.
  const cursor = reply === undefined && filters !== null ? await lastChange(call) : '';
  const preview = await previewDelete(call, filters);
  // Deleted memories are not counted, but what is left of them is there to be erased.
  const erases = record.name === 'erase_memories';
  if (preview.total === 0 && record.operation.scope === 'memories:write' && !erases) {
    return nothingToDelete(call, preview);
  }
  // An entity without memories is only a name; projects and organizations are more than their
  // memories.
  if (preview.total === 0 && record.operation.scope === 'entities:write') return null;
  if (reply !== undefined) {
    const seen = readSeen(reply);
    const refusal =
      faceArguments.confirm === undefined
        ? await checkFormReply(call, preview, reply)
        : await checkConfirmToken(call, reply);
    if (refusal === null && filters !== null)
      await checkUnchanged(call, { filters, preview, seen });
    return refusal;
  }
  const seen = `${preview.total}.${cursor}`;
  return confirmation.elicits
    ? elicitConfirmation(call, preview, seen)
    : issueConfirmToken(call, preview, seen);
}

async function checkConfirmToken(call: ToolCall, token: string): Promise<null> {
  if (await isConfirmed(call, 'token', token)) return null;
  throw invalid(
    'confirm',
    'the token has expired or belongs to another request; nothing was deleted. ' +
      'Call again without confirm for a new one',
  );
}

async function checkFormReply(call: ToolCall, preview: DeletePreview, state: string) {
  if (!(await isConfirmed(call, 'form', state))) {
    throw invalid('confirm', 'the question has expired; nothing was deleted. Call again');
  }
  if (call.confirmation.answer === 'confirmed') return null;
  return previewResult(call, preview, {
    message: 'The user did not confirm: nothing was deleted.',
  });
}

function elicitConfirmation(
  call: ToolCall,
  preview: DeletePreview,
  seen: string,
): Promise<InputRequiredResult> {
  const what = describeDelete(call, preview);
  const { forGood } = call.record.tool;
  const message = forGood ? `Erase ${what} for good? This cannot be undone.` : `Delete ${what}?`;
  const [title, description] = forGood
    ? ['Erase', 'Yes, erase for good']
    : ['Delete', 'Yes, delete'];
  return askInForm(call, { message, title, description, seen });
}

async function issueConfirmToken(
  call: ToolCall,
  preview: DeletePreview,
  seen: string,
): Promise<CallToolResult> {
  const confirm = await signConfirmation(call, { by: 'token', lifetimeMs: tokenLifetimeMs, seen });
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
  const how = { ...call, detailed: false };
  const samples = preview.results
    .slice(0, samplesShown)
    .map((item) => shortenMemory(presentItem(item, how)));
  return toToolResult({
    label: samples.length > 0 ? 'Stored memories, samples' : null,
    lead: `${describeDelete(call, preview)} ${fate(call)}. ${outcome.message}`,
    scope: call.scope,
    facts: { ...outcome, would_delete: preview.total, samples },
    items: samples,
    notes: [],
  });
}

function fate({ record }: ToolCall): string {
  return record.tool.forGood
    ? 'would be erased for good; this cannot be undone'
    : 'would be deleted';
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
  const condition = filters === undefined ? '' : ` that match ${quoteJson(filters)}`;
  const before = record.name === 'erase_memories' ? ', and what is left of deleted ones,' : '';
  return `${count}${ids.join('')}${condition}${before}`;
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
