import * as z from 'zod';
import { parseInput } from '../../contract/parse-input.ts';
import { entityScope } from '../../contract/schemas/entity.ts';
import type { CommandArguments } from './flags.ts';

const EntityFlags = z.object(entityScope);

/** Entities named on the command line. The configured ones only say where new memories go. */
export function readEntityFlags({
  flags,
}: Pick<CommandArguments, 'flags'>): Record<string, string> {
  const owners = Object.entries(parseInput({ input: EntityFlags }, flags)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(owners);
}
