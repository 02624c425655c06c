import * as z from 'zod';
import { decodeQuery } from '../../contract/binding.ts';
import { didYouMean } from '../../contract/closest.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { type Toolset, toolsets } from '../../contract/operation.ts';
import { Id } from '../../contract/schemas/text.ts';
import { type McpOptions, type Scope, scopeFields } from '../options.ts';
import { selectTools } from '../tool.ts';

/** One entity; `*` means any of them, which no default can mean. */
const EntityId = Id.refine((id) => id !== '*', '"*" means any; name one id');
const Names = z.string().transform((text) => text.split(',').map((name) => name.trim()));
const Switch = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((word) => word === 'true' || word === '1');

/** What a client may ask for in the address it connects to, or in headers. */
const Wishes = z
  .object({
    org_id: Id,
    project_id: Id,
    user_id: EntityId,
    agent_id: EntityId,
    app_id: EntityId,
    run_id: EntityId,
    lock_scope: Switch,
    toolsets: Names,
    tools: Names,
    exclude_tools: Names,
    read_only: Switch,
  })
  .partial();
type Wishes = z.output<typeof Wishes>;

/** Options that an address, or a header, may name. */
export const wishNames: readonly string[] = Object.keys(Wishes.shape);

/**
 * The options for one request: what the server is configured to, held to what the key may do and
 * narrowed by what the client wishes. Throws `invalid` when it wishes for what there is not.
 */
export function optionsFor(options: McpOptions, request: Request): McpOptions {
  const wishes = readWishes(request);
  return {
    ...options,
    ...scopeOf(options, wishes),
    ...toolsOf(options, wishes),
    read_only: options.read_only || options.caller.read_only || wishes.read_only === true,
  };
}

/** `user_id=ada` in the query, or the header `X-Mneme-User-Id: ada`; the query goes first. */
function readWishes({ url, headers }: Request): Wishes {
  const start = url.indexOf('?');
  const query = start === -1 ? null : decodeQuery(url.slice(start));
  const given: Record<string, string> = {};
  for (const name of wishNames) {
    const value = query?.get(name) || headers.get(`X-Mneme-${name.replaceAll('_', '-')}`);
    if (value) given[name] = value;
  }
  const unknown = [...(query?.keys() ?? [])].find((name) => !wishNames.includes(name));
  if (unknown !== undefined) {
    const label = JSON.stringify(unknown.slice(0, 60));
    const hint = `${didYouMean(unknown, wishNames)} Allowed: ${wishNames.join(', ')}`;
    throw new ApiError('invalid', `unknown parameter ${label} in the address.${hint}`);
  }
  const read = Wishes.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid(String(issue?.path[0] ?? 'address'), issue?.message ?? 'is malformed');
}

/** A default for what calls do not name; where the server locks its scope, nothing to choose. */
function scopeOf(options: McpOptions, wishes: Wishes): Pick<McpOptions, 'scope' | 'lock_scope'> {
  const asked = scopeFields.filter((field) => wishes[field] !== undefined);
  for (const field of asked) {
    if (!options.lock_scope || options.scope[field] === undefined) continue;
    if (options.scope[field] === wishes[field]) continue;
    throw invalid(field, 'the scope of this server is locked; leave it out');
  }
  const own: Scope = Object.fromEntries(asked.map((field) => [field, wishes[field]]));
  return {
    scope: { ...options.scope, ...own },
    lock_scope: options.lock_scope || wishes.lock_scope === true,
  };
}

type Chosen = Pick<McpOptions, 'toolsets' | 'tools' | 'exclude_tools'>;

/** A client chooses among the tools that the server offers. */
function toolsOf(options: McpOptions, wishes: Wishes): Chosen {
  const exclude_tools = [...options.exclude_tools, ...(wishes.exclude_tools ?? [])];
  if (wishes.exclude_tools !== undefined) selectTools({ ...options, exclude_tools });
  const { toolsets: configured, tools } = options;
  if (wishes.toolsets === undefined && wishes.tools === undefined) {
    return { toolsets: configured, tools, exclude_tools };
  }
  const wished = selectTools({
    ...options,
    toolsets: wishes.toolsets?.map(toolsetNamed) ?? null,
    tools: wishes.tools ?? null,
  });
  const offered = selectTools(options);
  return {
    toolsets: null,
    tools: wished.filter((name) => offered.includes(name)),
    exclude_tools,
  };
}

function toolsetNamed(name: string): Toolset {
  const found = toolsets.find((set) => set === name);
  if (found !== undefined) return found;
  const hint = `${didYouMean(name, toolsets)} Allowed: ${toolsets.join(', ')}`;
  throw invalid('toolsets', `unknown ${JSON.stringify(name.slice(0, 60))}.${hint}`);
}
