import type { Operation } from '../contract/operation.ts';
import { contract } from '../contract.ts';

const namedTools = Object.entries<Operation>(contract).flatMap(([name, { tool }]) =>
  tool === null ? [] : [{ name, aliases: tool.aliases ?? [] }],
);

/** Names of tools, then the earlier ones that are still understood. */
export const toolNames: readonly string[] = [
  ...namedTools.map(({ name }) => name),
  ...namedTools.flatMap(({ aliases }) => aliases),
];
