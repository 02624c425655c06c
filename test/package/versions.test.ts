import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { version as built } from '../../src/version.ts';

const text = (file: string) => readFileSync(file, 'utf8');
const json = (file: string) => JSON.parse(text(file));
const { version } = json('package.json');

/** Everything that says a version; package.json is where it is written. */
const versions: [place: string, found: unknown][] = [
  ['package-lock.json', json('package-lock.json').version],
  ['package-lock.json, the package', json('package-lock.json').packages[''].version],
  ['manifest.json', json('manifest.json').version],
  ['server.json', json('server.json').version],
  ['server.json, the package', json('server.json').packages[0].version],
  ['the plugin', json('plugins/claude-code/.claude-plugin/plugin.json').version],
  ['the marketplace', json('.claude-plugin/marketplace.json').metadata.version],
  ['the marketplace, the plugin', json('.claude-plugin/marketplace.json').plugins[0].version],
  ['the image', /image\.version="(.*?)"/.exec(text('deploy/Dockerfile'))?.[1]],
  ['the manifests', /newTag: (\S+)/.exec(text('deploy/kubernetes/kustomization.yaml'))?.[1]],
  ['the program', built],
];

describe('the version', () => {
  it.each(versions)('is the same in %s', (_, found) => {
    expect(found).toBe(version);
  });

  it('is that of the newest release in CHANGELOG.md, if there is one', () => {
    const headings = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[(.+?)\]/gm)];
    const [first, newest = version] = headings.map(([, name]) => name);

    expect(first).toBe('Unreleased');
    expect(newest).toBe(version);
  });
});
