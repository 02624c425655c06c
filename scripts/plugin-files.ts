// The plugin files that are derived from package.json and from the instructions for agents.
import { agentInstructions } from '../src/cli/init/agents-md.ts';

type Package = {
  name: string;
  version: string;
  license: string;
  author: string;
  keywords: string[];
};

const description = 'Long-term memory: recalls when a session starts, stores when it ends';

/** The plugin for Claude Code. */
export function pluginJson({ name, version, license, author, keywords }: Package) {
  return { name, description, version, author: { name: author }, license, keywords };
}

/** Lets `/plugin marketplace add` find the plugin in this repository. */
export function marketplaceJson({ name, version, license, author }: Package) {
  const plugin = { name, source: './plugins/claude-code', description, version, license };
  return { name, owner: { name: author }, metadata: { description, version }, plugins: [plugin] };
}

/** The rule for Cursor, always active, because an agent does not know when it needs its memory. */
export function cursorRule(): string {
  const head = ['---', 'description: Long-term memory by mneme', 'alwaysApply: true', '---'];
  return `${head.join('\n')}\n\n${agentInstructions}\n`;
}
