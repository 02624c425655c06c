import { contract } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';

const tools = Object.entries<Operation>(contract).flatMap(([name, { tool }]) =>
  tool === null ? [] : [{ name, aliases: tool.aliases ?? [] }],
);

/** Names of tools, then the earlier ones that are still understood. */
export const toolNames: readonly string[] = [
  ...tools.map(({ name }) => name),
  ...tools.flatMap(({ aliases }) => aliases),
];
