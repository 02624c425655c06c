import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const about = json('package.json');
const lock: Record<string, { version?: string }> = json('package-lock.json').packages;

/** The parts of CycloneDX 1.6 that the file uses, and nothing else. */
const Licenses = z
  .array(
    z.union([
      z.strictObject({ license: z.strictObject({ id: z.string().regex(/^[A-Za-z0-9.+-]+$/) }) }),
      z.strictObject({ expression: z.string().min(1) }),
    ]),
  )
  .min(1);
const described = {
  'bom-ref': z.string().min(1),
  group: z.string().startsWith('@').optional(),
  name: z.string().regex(/^[a-z0-9][\w.-]*$/i),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  licenses: Licenses,
  purl: z.string().regex(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.-]*$/),
};
const Place = z.strictObject({
  name: z.literal('mneme:file'),
  value: z.enum(['dist', 'dist/dashboard']),
});
const Component = z.strictObject({
  type: z.literal('library'),
  ...described,
  properties: z.array(Place).min(1),
});
const Sbom = z.strictObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  version: z.literal(1),
  metadata: z.strictObject({
    component: z.strictObject({ type: z.literal('application'), ...described }),
  }),
  components: z.array(Component),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

describe('dist/sbom.cdx.json', () => {
  const sbom = Sbom.parse(json('dist/sbom.cdx.json'));

  it('describes this version of the program', () => {
    const { name, version, licenses } = sbom.metadata.component;

    expect({ name, version, licenses }).toEqual({
      name: about.name,
      version: about.version,
      licenses: [{ license: { id: about.license } }],
    });
  });

  it('names each package once, and all of them as dependencies of the program', () => {
    const purls = sbom.components.map(({ purl }) => purl);

    expect(new Set(purls).size).toBe(purls.length);
    expect(sbom.dependencies).toEqual([{ ref: sbom.metadata.component.purl, dependsOn: purls }]);
  });

  it.each([
    ['dist', 'dist/THIRD_PARTY_LICENSES.txt'],
    ['dist/dashboard', 'dist/dashboard/THIRD_PARTY_LICENSES.txt'],
  ])('names for %s the packages whose licences ship in %s', (place, notices) => {
    const heads = readFileSync(notices, 'utf8').matchAll(/^-{80}\n\n(\S+) (\S+) \(/gm);
    const licensed = [...heads].map(([, name, version]) => `${name}@${version}`);

    const listed = sbom.components
      .filter(({ properties }) => properties.some(({ value }) => value === place))
      .map(packageOf);

    expect(licensed.length).toBeGreaterThan(10);
    expect(listed.sort()).toEqual(licensed.sort());
  });

  it('names versions that the lock file has', () => {
    const locked = Object.entries(lock).map(([path, { version }]) => {
      return `${path.replace(/^.*node_modules\//, '')}@${version}`;
    });

    expect(locked).toEqual(expect.arrayContaining(sbom.components.map(packageOf)));
  });

  it('names what is bundled, and not what only builds or tests', () => {
    const names = sbom.components.map((one) => packageOf(one).replace(/@[^@]+$/, ''));

    expect(names).toEqual(expect.arrayContaining(['zod', 'hono', 'pg', 'kysely']));
    for (const tool of ['vitest', 'esbuild', 'typescript', '@biomejs/biome', 'sqlite-vec']) {
      expect(names).not.toContain(tool);
    }
  });
});

function packageOf({ group, name, version }: z.output<typeof Component>): string {
  return `${group === undefined ? '' : `${group}/`}${name}@${version}`;
}
