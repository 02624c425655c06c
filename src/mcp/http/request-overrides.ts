import * as z from 'zod';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { decodeQueryString } from '../../contract/http-binding.ts';
import { type Toolset, toolsets } from '../../contract/operation.ts';
import { Id } from '../../contract/schemas/text.ts';
import { lockedFields, type MemoryScope, scopeFields } from '../../contract/scope/memory-scope.ts';
import type { McpOptions } from '../tools/options.ts';
import { selectToolNames } from '../tools/select-tools.ts';

/** The id of one entity; `*` means any of them, so it cannot be a default. */
const SingleEntityId = Id.refine((id) => id !== '*', '"*" means any; name one id');
const NameList = z.string().transform((text) => text.split(',').map((name) => name.trim()));
const SwitchValue = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((word) => word === 'true' || word === '1');

/** What a client may set in the address it connects to, or in headers. */
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

/** Options that an address or a header may set. */
export const overrideNames: readonly string[] = Object.keys(RequestOverrides.shape);

/**
 * The options for one request: the configuration of the server, limited to what the key may do,
 * narrowed by the headers, which a proxy may set, and then by the address. The address wins over a
 * header only where it narrows, or names a default. Throws `invalid` on an unknown parameter or
 * value.
 */
export function applyRequestOverrides(options: McpOptions, request: Request): McpOptions {
  const read_only = options.read_only || options.caller.read_only;
  const byHeaders = applyOverrides({ ...options, read_only }, readHeaders(request));
  const scopeOptions = applyOverrides(byHeaders, readQuery(request));
  // An address whose id is empty would otherwise reach everybody.
  if (scopeOptions.lock_scope && lockedFields(scopeOptions).length === 0) {
    throw invalid('lock_scope', 'locks nothing: name an id, such as user_id');
  }
  return scopeOptions;
}

function applyOverrides(options: McpOptions, overrides: RequestOverrides): McpOptions {
  return {
    ...options,
    ...overrideScope(options, overrides),
    ...overrideTools(options, overrides),
    read_only: options.read_only || overrides.read_only === true,
  };
}

/** `X-Mneme-User-Id: ada`. */
function readHeaders({ headers }: Request): RequestOverrides {
  return parseOverrides((name) => headers.get(`X-Mneme-${name.replaceAll('_', '-')}`));
}

/** `user_id=ada`. */
function readQuery({ url }: Request): RequestOverrides {
  const start = url.indexOf('?');
  if (start === -1) return {};
  const query = decodeQueryString(url.slice(start));
  const unknown = [...query.keys()].find((name) => !overrideNames.includes(name));
  if (unknown !== undefined) {
    const label = JSON.stringify(unknown.slice(0, 60));
    const hint = `${didYouMean(unknown, overrideNames)} Allowed: ${overrideNames.join(', ')}`;
    throw new ApiError('invalid', `unknown parameter ${label} in the address.${hint}`);
  }
  return parseOverrides((name) => query.get(name));
}

/** An empty value counts as none. */
function parseOverrides(find: (name: string) => string | null | undefined): RequestOverrides {
  const values: Record<string, string> = {};
  for (const name of overrideNames) {
    const value = find(name);
    if (value) values[name] = value;
  }
  const parsed = RequestOverrides.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(String(issue?.path[0] ?? 'address'), issue?.message ?? 'is malformed');
}

/** Defaults for ids that calls omit; a locked scope cannot be changed. */
function overrideScope(
  options: McpOptions,
  overrides: RequestOverrides,
): Pick<McpOptions, 'scope' | 'lock_scope'> {
  const fields = scopeFields.filter((field) => overrides[field] !== undefined);
  for (const field of fields) {
    if (!options.lock_scope || options.scope[field] === undefined) continue;
    if (options.scope[field] === overrides[field]) continue;
    throw invalid(field, 'the scope of this server is locked; leave it out');
  }
  const scope: MemoryScope = Object.fromEntries(fields.map((field) => [field, overrides[field]]));
  return {
    scope: { ...options.scope, ...scope },
    lock_scope: options.lock_scope || overrides.lock_scope === true,
  };
}

type ToolSelection = Pick<McpOptions, 'toolsets' | 'tools' | 'exclude_tools'>;

/** A client can only select from the tools that the server offers. */
function overrideTools(options: McpOptions, overrides: RequestOverrides): ToolSelection {
  const exclude_tools = [...options.exclude_tools, ...(overrides.exclude_tools ?? [])];
  if (overrides.exclude_tools !== undefined) selectToolNames({ ...options, exclude_tools });
  const { toolsets: configured, tools } = options;
  if (overrides.toolsets === undefined && overrides.tools === undefined) {
    return { toolsets: configured, tools, exclude_tools };
  }
  const names = selectToolNames({
    ...options,
    toolsets: overrides.toolsets?.map(resolveToolset) ?? null,
    tools: overrides.tools ?? null,
  });
  const offered = selectToolNames(options);
  return {
    toolsets: null,
    tools: names.filter((name) => offered.includes(name)),
    exclude_tools,
  };
}

function resolveToolset(name: string): Toolset {
  const toolset = toolsets.find((set) => set === name);
  if (toolset !== undefined) return toolset;
  const hint = `${didYouMean(name, toolsets)} Allowed: ${toolsets.join(', ')}`;
  throw invalid('toolsets', `unknown ${JSON.stringify(name.slice(0, 60))}.${hint}`);
}
