import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Operation, toolsets } from '../../src/contract/operation.ts';
import { contract } from '../../src/contract.ts';
import { alternatePaths, detailedPaths, furtherPaths } from './published-paths.ts';

const records: [string, Operation][] = Object.entries<Operation>(contract);
const routes = records.flatMap(([name, record]) =>
  record.routes.map((route) => ({ ...route, name, record })),
);

describe('the table of operations', () => {
  const reached = routes.map(({ method, path }) => `${method} ${path}`);

  it('reaches every published path', () => {
    const published = [...detailedPaths, ...alternatePaths, ...furtherPaths];

    const missing = published
      .map(([method, path]) => `${method} ${path}`)
      .filter((route) => !reached.includes(route));
    expect(missing).toEqual([]);
  });

  it('reaches one operation by each path', () => {
    expect(reached.filter((route, index) => reached.indexOf(route) !== index)).toEqual([]);
  });

  it.each(routes)('$method $path names input fields in its path', ({ path, fixed, record }) => {
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field);
    const named = [...placeholders, ...Object.keys(fixed ?? {})];

    expect(Object.keys(record.input.shape)).toEqual(expect.arrayContaining(named));
  });

  it.each(routes)('$method $path has defaults that its input accepts', ({ defaults, record }) => {
    for (const [field, value] of Object.entries(defaults ?? {})) {
      expect(record.input.shape[field]?.safeParse(value).success).toBe(true);
    }
  });

  it.each(records)('%s says what it is, and what can go wrong', (_name, record) => {
    expect(record.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(record.description).toMatch(/^[A-Z].*\.$/);
    expect(record.errors).toContain('invalid');
    const isGuarded = record.scope.endsWith(':write') || /^(audit|store):/.test(record.scope);
    expect(record.errors.includes('forbidden')).toBe(isGuarded);
  });

  it.each(records)('%s takes what names its place', (_name, { subject = 'project', input }) => {
    const names = {
      project: ['org_id', 'project_id'],
      organization: ['org_id'],
      webhook: ['webhook_id'],
      account: [],
      store: [],
    };

    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining(names[subject]));
  });

  it.each(records)('%s shows agents fields that exist, each described', (_name, record) => {
    const { properties = {} } = z.toJSONSchema(z.object(record.input.shape), { io: 'input' });
    for (const field of record.tool?.fields ?? []) {
      expect(properties[field], field).toMatchObject({ description: expect.stringMatching(/\S/) });
    }
    for (const toolset of record.tool?.toolsets ?? []) expect(toolsets).toContain(toolset);
  });

  it('gives each tool a name of its own, old names included', () => {
    const names = records.flatMap(([name, { tool }]) =>
      tool === null ? [] : [name, ...(tool.aliases ?? [])],
    );

    expect(new Set(names).size).toBe(names.length);
  });

  it('marks no read as destructive and asks before every bulk delete', () => {
    const asking = records.filter(([, { tool }]) => tool?.confirm !== undefined);

    for (const [name, { scope, tool }] of records) {
      if (scope.endsWith(':read') && tool !== null) expect(tool.destructive, name).toBe(false);
    }
    expect(asking.map(([name]) => name)).toEqual([
      'delete_all_memories',
      'batch_delete_memories',
      'erase_memories',
      'delete_entity',
      'delete_organization',
      'delete_project',
    ]);
  });
});
