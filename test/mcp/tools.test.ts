import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { measuredTools } from '../../src/cli/io/measured-tools.ts';
import { instructions } from '../../src/mcp/instructions.ts';
import { type ListedTool, listTools } from '../../src/mcp/tools/list-tools.ts';
import { selectToolNames } from '../../src/mcp/tools/select-tools.ts';
import { everything } from './support.ts';

const tools = listTools(everything);
const core = listTools({ ...everything, toolsets: ['core'] });

describe('what the tools cost a model', () => {
  it.each(['README.md', 'docs/tools.md'])('is what %s and mneme tools say', (document) => {
    const words = readFileSync(document, 'utf8').replaceAll(/\s+/g, ' ');
    const [, all = '', daily = ''] =
      /all (?:of them|tools) [^.]{0,40}?([\d,]+) tokens, (?:and )?the seven daily ones [^.]{0,40}?([\d,]+)/i.exec(
        words,
      ) ?? [];

    expect(core).toHaveLength(7);
    expect([costOf(tools), costOf(core)]).toEqual([numberOf(all), numberOf(daily)]);
    for (const tool of tools) expect(measuredTools[tool.name]?.tokens).toBe(costOf([tool]));
  });

  it('is at most 5,000 tokens, and 1,800 for the seven daily ones', () => {
    expect(costOf(tools)).toBeLessThanOrEqual(5000);
    expect(costOf(core)).toBeLessThanOrEqual(1800);
  });

  it.each([
    ['unlocked', { scope: { user_id: 'alice' }, lock_scope: false, read_only: false }],
    ['without a user', { scope: {}, lock_scope: false, read_only: false }],
    ['locked', { scope: { user_id: 'alice' }, lock_scope: true, read_only: false }],
    ['read-only', { scope: { user_id: 'alice' }, lock_scope: false, read_only: true }],
  ])('is at most 150 tokens for the instructions, %s', (_, options) => {
    expect(countTokens(instructions(options))).toBeLessThanOrEqual(150);
  });
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('has the schema that clients saw before', async () => {
    const text = `${JSON.stringify(tool, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`snapshots/${name}.snap`);
  });

  it('takes a plain object', () => {
    expect(tool.inputSchema.type).toBe('object');
    expect(Object.keys(tool.inputSchema)).not.toContain('anyOf');
    expect(Object.keys(tool.inputSchema)).not.toContain('oneOf');
    expect(Object.keys(tool.inputSchema)).not.toContain('allOf');
  });

  it('uses no keyword that some client cannot read', () => {
    const text = JSON.stringify(tool.inputSchema);

    for (const keyword of ['$ref', '$schema', 'pattern', 'anyOf', 'internal']) {
      expect(text).not.toContain(`"${keyword}"`);
    }
  });

  it('describes and bounds every field', () => {
    for (const field of fieldsOf(tool.inputSchema)) {
      expect(field).toMatchObject({ type: expect.any(String), description: expect.any(String) });
      if (field.type === 'array') expect(field).toHaveProperty('items.type');
      if (field.type === 'integer') {
        expect(field).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) });
      }
    }
  });

  it('has a title, all hints and an open answer', () => {
    const { title, annotations, outputSchema } = tool;

    expect(title).not.toBe('');
    expect(annotations).toEqual({
      title,
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: false,
    });
    expect(outputSchema).toMatchObject({ type: 'object' });
    expect(JSON.stringify(outputSchema)).not.toContain('additionalProperties');
    expect(outputSchema).not.toHaveProperty('required');
  });
});

describe('selection of tools', () => {
  it('offers toolsets, single tools besides them, and not what is excluded', () => {
    const names = selectToolNames({
      ...everything,
      toolsets: ['events'],
      tools: ['get_memory', 'search_memory'],
      exclude_tools: ['list_events'],
    });

    expect(names).toEqual(['search_memories', 'get_memory', 'get_event']);
  });

  it('offers nothing that writes when read-only', () => {
    const listed = listTools({ ...everything, read_only: true });

    expect(listed.map(({ annotations }) => annotations.readOnlyHint)).not.toContain(false);
    expect(listed.map(({ name }) => name)).toContain('search_memories');
  });

  it.each([
    [
      { tools: ['serch_memories'] },
      'unknown tool "serch_memories". Did you mean "search_memories"?',
    ],
    [{ exclude_tools: ['add_memry'] }, 'unknown tool "add_memry". Did you mean "add_memory"?'],
    [{ toolsets: ['cor' as 'core'] }, 'unknown toolset "cor". Did you mean "core"?'],
  ])('refuses %j with a suggestion', (wrong, message) => {
    expect(() => selectToolNames({ ...everything, ...wrong })).toThrow(message);
  });

  it('shows no field that the configuration locks', () => {
    const scope = { user_id: 'alice', project_id: 'home' };
    const locked = listTools({ ...everything, scope, lock_scope: true });

    expect(JSON.stringify(locked.map(({ inputSchema }) => inputSchema))).not.toMatch(
      /"(user_id|project_id)"/,
    );
    expect(JSON.stringify(locked)).toContain('"agent_id"');
  });

  it('shows no confirm where nothing asks for it', () => {
    const listed = listTools({ ...everything, confirm_destructive: false });

    expect(JSON.stringify(listed)).not.toContain('"confirm"');
    expect(JSON.stringify(listed)).toContain('"dry_run"');
  });
});

/** 3300 of `3,300`. */
function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}

function costOf(listed: readonly ListedTool[]): number {
  const sent = listed.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  );
  return sent.reduce((sum, text) => sum + countTokens(text), 0);
}

type Schema = {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
};

function fieldsOf({ properties = {}, items }: Schema): Schema[] {
  const own = Object.values(properties);
  const nested = [...own, ...(items?.properties ? [items] : [])];
  return [...own, ...nested.flatMap(fieldsOf)];
}
