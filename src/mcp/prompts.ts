import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { McpOptions } from './tools/options.ts';

type PromptDefinition = Prompt & {
  writes: boolean;
  text: (argument: string) => string;
};

const prompts: readonly PromptDefinition[] = [
  {
    name: 'recall',
    title: 'Recall',
    description: 'Search the memory for a topic and answer from it.',
    arguments: [{ name: 'topic', description: 'What to recall', required: true }],
    writes: false,
    text: (topic) =>
      `Search the memory for the topic below with search_memories, also in other words if little ` +
      `is found. Then say what is known, with dates, and what is not. Topic: ${topic}`,
  },
  {
    name: 'remember',
    title: 'Remember',
    description: 'Store a fact, correcting what it replaces.',
    arguments: [{ name: 'text', description: 'What to remember', required: true }],
    writes: true,
    text: (text) =>
      `Remember what is quoted below. Search for it first: if a memory says it already, do ` +
      `nothing; if one is outdated by it, correct that one with update_memory; else store it ` +
      `with add_memory as one self-contained sentence. Say what you did. To remember: ${text}`,
  },
  {
    name: 'review',
    title: 'Review',
    description: 'Go through the stored memories and tidy them up.',
    writes: true,
    text: () =>
      'List the stored memories with get_memories, all pages. Report duplicates, contradictions, ' +
      'outdated facts and secrets that should not be kept. Propose updates and deletes, and wait ' +
      'for my answer before you change anything.',
  },
];

/** The prompts of a configuration; a read-only server has only those that do not write. */
export function listPrompts({ read_only }: Pick<McpOptions, 'read_only'>): Prompt[] {
  return prompts
    .filter(({ writes }) => !(writes && read_only))
    .map(({ writes: _writes, text: _text, ...prompt }) => prompt);
}

export function getPrompt(
  params: { name: string; arguments?: Record<string, string> | undefined },
  { read_only }: Pick<McpOptions, 'read_only'>,
): GetPromptResult {
  const prompt = prompts.find(({ name, writes }) => name === params.name && !(writes && read_only));
  if (prompt === undefined) throw invalidParams(`Unknown prompt ${quoteName(params.name)}`);
  const [argument] = prompt.arguments ?? [];
  const value = argument === undefined ? '' : params.arguments?.[argument.name]?.trim();
  if (argument?.required && !value)
    throw invalidParams(`Missing argument ${quoteName(argument.name)}`);
  const text = prompt.text(JSON.stringify(value ?? ''));
  return {
    ...(prompt.description !== undefined && { description: prompt.description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
