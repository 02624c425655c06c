// Builds pgvector for a server from npm, which has none, from Debian's sources and its headers of
// the same PostgreSQL version.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackages, install } from './debian.mjs';
import { run } from './run.mjs';

/** In which Debian the headers of a version are. @type {Record<string, string>} */
const headersIn = { 15: 'bookworm' };

/** The suite with the sources of pgvector 0.8.0. */
const sourcesIn = 'trixie';

export function canBuildPgvector(/** @type {string | undefined} */ version) {
  return Object.hasOwn(headersIn, version ?? '');
}

/**
 * Builds it into the folder of a server: some seconds.
 *
 * @param {string} folder
 * @param {string} version
 */
export function buildPgvector(folder, version) {
  install('cc', ['gcc', 'libc6-dev']);
  const work = mkdtempSync(`${folder}-pgvector-`);
  try {
    fetchPackages(work, {
      binary: { suite: headersIn[version] ?? '', name: `postgresql-server-dev-${version}` },
      source: { suite: sourcesIn, name: 'pgvector' },
    });
    const sources = unpack(work);
    compile(work, { sources, headers: join(work, 'usr/include/postgresql', version, 'server') });
    place(join(folder, 'native'), { work, sources });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns {string} the folder of the sources */
function unpack(/** @type {string} */ work) {
  const fetched = readdirSync(work);
  const archive = (/** @type {RegExp} */ name) =>
    join(work, fetched.find((file) => name.test(file)) ?? 'missing');
  run('dpkg', ['--extract', archive(/\.deb$/), work]);
  const sources = join(work, 'sources');
  mkdirSync(sources);
  run('tar', ['-xf', archive(/\.orig\.tar\.\w+$/), '-C', sources, '--strip-components=1']);
  return sources;
}

/**
 * As its makefile does it for any processor.
 *
 * @param {string} work
 * @param {{ sources: string, headers: string }} from
 */
function compile(work, { sources, headers }) {
  const files = readdirSync(join(sources, 'src')).filter((name) => name.endsWith('.c'));
  run('cc', [
    ...['-shared', '-fPIC', '-O2', '-fno-strict-aliasing', '-fwrapv', '-ftree-vectorize'],
    ...['-fassociative-math', '-fno-signed-zeros', '-fno-trapping-math', '-I', headers],
    ...files.map((name) => join(sources, 'src', name)),
    ...['-lm', '-o', join(work, 'vector.so')],
  ]);
}

/**
 * @param {string} server
 * @param {{ work: string, sources: string }} from
 */
function place(server, { work, sources }) {
  const control = readFileSync(join(sources, 'vector.control'), 'utf8');
  const [, release = ''] = /^default_version = '(.+)'/m.exec(control) ?? [];
  const extensions = join(server, 'share/postgresql/extension');
  copyFileSync(join(work, 'vector.so'), join(server, 'lib/postgresql/vector.so'));
  copyFileSync(join(sources, 'vector.control'), join(extensions, 'vector.control'));
  copyFileSync(join(sources, 'sql/vector.sql'), join(extensions, `vector--${release}.sql`));
}
