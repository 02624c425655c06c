import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type PublishedPackage = {
  version: string;
  /** The code of its main file. */
  main: string;
};

/** A registry of npm on this machine that has one package. */
export async function startPackageRegistry(
  name: string,
  published: PublishedPackage,
): Promise<{ url: string; close(): Promise<void> }> {
  const archive = packArchive(name, published);
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const http = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(url);
    if (path === '/archive.tgz') return response.end(archive);
    if (path !== `/${name}`) return response.writeHead(404).end('{}');
    const { version } = published;
    const dist = { tarball: `${address()}/archive.tgz`, integrity };
    const versions = { [version]: { name, version, main: 'main.cjs', dist } };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  const address = () => `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: address(),
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** npm packs it as it would for a real registry. */
function packArchive(name: string, { version, main }: PublishedPackage): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-registry-'));
  try {
    const source = join(folder, 'package');
    mkdirSync(source);
    writeFileSync(
      join(source, 'package.json'),
      JSON.stringify({ name, version, main: 'main.cjs' }),
    );
    writeFileSync(join(source, 'main.cjs'), main);
    execFileSync('tar', ['-czf', 'archive.tgz', 'package'], { cwd: folder });
    return readFileSync(join(folder, 'archive.tgz'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
