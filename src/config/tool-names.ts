import type { Operation } from '../contract/operation.ts';
import { contract } from '../contract.ts';

const namedTools = Object.entries<Operation>(contract).flatMap(([name, { tool }]) =>
  tool === null ? [] : [{ name, aliases: tool.aliases ?? [] }],
);

/** Names of tools, followed by earlier names that still work. */
export const toolNames: readonly string[] = [
  ...namedTools.map(({ name }) => name),
  ...namedTools.flatMap(({ aliases }) => aliases),
];
