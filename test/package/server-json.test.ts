import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { optionNames, variableName } from '../../src/config/options.ts';

const about = JSON.parse(readFileSync('package.json', 'utf8'));
const server = JSON.parse(readFileSync('server.json', 'utf8'));

/** No range and no tag: the registry takes one version only. */
const Version = z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/);

/** What the description of the format asks for, as far as this file uses it; nothing else. */
const ServerJson = z.strictObject({
  $schema: z
    .string()
    .regex(
      /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\d-]{10}\/server\.schema\.json$/,
    ),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .min(3)
    .max(200),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: Version,
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string().min(1),
      version: Version,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string().min(1),
          description: z.string().min(1),
          format: z.enum(['string', 'number', 'boolean', 'filepath']),
          default: z.string().optional(),
          isSecret: z.boolean().optional(),
        }),
      ),
    }),
  ),
});

describe('server.json', () => {
  it('has the form that the registry takes', () => {
    expect(() => ServerJson.parse(server)).not.toThrow();
  });

  it('names the package by which the registry knows its owner', () => {
    const [{ identifier }] = server.packages;

    expect(server.name).toBe(about.mcpName);
    expect(identifier).toBe(about.name);
    expect(about.mcpName).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+\//);
  });

  it('names the repository that the name of the server stands for', () => {
    const [, owner, name] = /^io\.github\.([\w-]+)\/([\w-]+)$/.exec(server.name) ?? [];

    expect(server.repository.url).toBe(`https://github.com/${owner}/${name}`);
    for (const url of [about.repository.url, about.bugs.url, about.homepage]) {
      expect(url).toContain(`github.com/${owner}/${name}`);
    }
  });

  it('asks only for options that exist, none of them twice', () => {
    const [{ environmentVariables }] = server.packages;
    const names = environmentVariables.map(({ name }: { name: string }) => name);

    expect(optionNames.map(variableName)).toEqual(expect.arrayContaining(names));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('MNEME_USER_ID');
  });
});
