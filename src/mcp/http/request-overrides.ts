import * as z from 'zod';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { decodeQueryString } from '../../contract/http-binding.ts';
import { type Toolset, toolsets } from '../../contract/operation.ts';
import { Id } from '../../contract/schemas/text.ts';
import { type MemoryScope, scopeFields } from '../../contract/scope/memory-scope.ts';
import type { McpOptions } from '../tools/options.ts';
import { selectToolNames } from '../tools/tool-records.ts';

/** One entity; `*` means any of them, which no default can mean. */
const SingleEntityId = Id.refine((id) => id !== '*', '"*" means any; name one id');
const NameList = z.string().transform((text) => text.split(',').map((name) => name.trim()));
const SwitchValue = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((word) => word === 'true' || word === '1');

/** What a client may ask for in the address it connects to, or in headers. */
const RequestOverrides = z
  .object({
    org_id: Id,
    project_id: Id,
    user_id: SingleEntityId,
    agent_id: SingleEntityId,
    app_id: SingleEntityId,
    run_id: SingleEntityId,
    lock_scope: SwitchValue,
    toolsets: NameList,
    tools: NameList,
    exclude_tools: NameList,
    read_only: SwitchValue,
  })
  .partial();
type RequestOverrides = z.output<typeof RequestOverrides>;

/** Options that an address, or a header, may name. */
export const overrideNames: readonly string[] = Object.keys(RequestOverrides.shape);

/**
 * The options for one request: what the server is configured to, held to what the key may do and
 * narrowed by what the client wishes. Throws `invalid` when it wishes for what there is not.
 */
export function applyRequestOverrides(options: McpOptions, request: Request): McpOptions {
  const wishes = readRequestOverrides(request);
  return {
    ...options,
    ...overrideScope(options, wishes),
    ...overrideTools(options, wishes),
    read_only: options.read_only || options.caller.read_only || wishes.read_only === true,
  };
}

/** `user_id=ada` in the query, or the header `X-Mneme-User-Id: ada`; the query goes first. */
function readRequestOverrides({ url, headers }: Request): RequestOverrides {
  const start = url.indexOf('?');
  const query = start === -1 ? null : decodeQueryString(url.slice(start));
  const given: Record<string, string> = {};
  for (const name of overrideNames) {
    const value = query?.get(name) || headers.get(`X-Mneme-${name.replaceAll('_', '-')}`);
    if (value) given[name] = value;
  }
  const unknown = [...(query?.keys() ?? [])].find((name) => !overrideNames.includes(name));
  if (unknown !== undefined) {
    const label = JSON.stringify(unknown.slice(0, 60));
    const hint = `${didYouMean(unknown, overrideNames)} Allowed: ${overrideNames.join(', ')}`;
    throw new ApiError('invalid', `unknown parameter ${label} in the address.${hint}`);
  }
  const read = RequestOverrides.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid(String(issue?.path[0] ?? 'address'), issue?.message ?? 'is malformed');
}

/** A default for what calls do not name; where the server locks its scope, nothing to choose. */
function overrideScope(
  options: McpOptions,
  wishes: RequestOverrides,
): Pick<McpOptions, 'scope' | 'lock_scope'> {
  const asked = scopeFields.filter((field) => wishes[field] !== undefined);
  for (const field of asked) {
    if (!options.lock_scope || options.scope[field] === undefined) continue;
    if (options.scope[field] === wishes[field]) continue;
    throw invalid(field, 'the scope of this server is locked; leave it out');
  }
  const own: MemoryScope = Object.fromEntries(asked.map((field) => [field, wishes[field]]));
  return {
    scope: { ...options.scope, ...own },
    lock_scope: options.lock_scope || wishes.lock_scope === true,
  };
}

type ToolSelection = Pick<McpOptions, 'toolsets' | 'tools' | 'exclude_tools'>;

/** A client chooses among the tools that the server offers. */
function overrideTools(options: McpOptions, wishes: RequestOverrides): ToolSelection {
  const exclude_tools = [...options.exclude_tools, ...(wishes.exclude_tools ?? [])];
  if (wishes.exclude_tools !== undefined) selectToolNames({ ...options, exclude_tools });
  const { toolsets: configured, tools } = options;
  if (wishes.toolsets === undefined && wishes.tools === undefined) {
    return { toolsets: configured, tools, exclude_tools };
  }
  const wished = selectToolNames({
    ...options,
    toolsets: wishes.toolsets?.map(resolveToolset) ?? null,
    tools: wishes.tools ?? null,
  });
  const offered = selectToolNames(options);
  return {
    toolsets: null,
    tools: wished.filter((name) => offered.includes(name)),
    exclude_tools,
  };
}

function resolveToolset(name: string): Toolset {
  const found = toolsets.find((set) => set === name);
  if (found !== undefined) return found;
  const hint = `${didYouMean(name, toolsets)} Allowed: ${toolsets.join(', ')}`;
  throw invalid('toolsets', `unknown ${JSON.stringify(name.slice(0, 60))}.${hint}`);
}
