// `npm run picture`: runs the built program in an empty home and draws the session as
// docs/images/terminal.svg, the picture of the README. `--check` reports whether it is up to date.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cli, ready, root } from './ready.mjs';

const picture = join(root, 'docs/images/terminal.svg');

/** What the user types: arguments of `mneme`. */
const session = [
  ['add', '--infer', "I live in Lisbon with my wife Ana. I'm allergic to hazelnuts. Thanks!"],
  ['search', 'allergic to what?'],
  ['add', '--infer', 'I moved from Lisbon to Porto last week.'],
  ['search', 'when did I move to Porto?'],
];

const [fontSize, lineHeight, margin, bar] = [14, 21, 20, 34];
/** The width of a letter in the fonts below, at this size. */
const letterWidth = 8.43;
const columns = 92;

await ready();
const drawn = drawing(record());
if (process.argv.includes('--check')) {
  if (withoutChance(readFileSync(picture, 'utf8')) !== withoutChance(drawn)) {
    console.error('docs/images/terminal.svg is out of date: npm run picture');
    process.exitCode = 1;
  }
} else {
  mkdirSync(dirname(picture), { recursive: true });
  writeFileSync(picture, drawn);
  console.error('wrote docs/images/terminal.svg');
}

/** Runs the session; returns its lines, as the terminal shows them. */
function record() {
  const home = mkdtempSync(join(tmpdir(), 'mneme-picture-'));
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: home, USERPROFILE: home },
    ...{ LOCALAPPDATA: home, APPDATA: home, MNEME_USER_ID: 'ada' },
  };
  try {
    return session.flatMap((args, at) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
        ...{ cwd: home, env, encoding: 'utf8', timeout: 60_000 },
      });
      if (status !== 0 || stdout === '') throw new Error(`mneme ${args[0]} failed: ${stderr}`);
      const typed = `$ mneme ${args.map(quoted).join(' ')}`;
      return [...(at === 0 ? [] : ['']), typed, ...stdout.trimEnd().split('\n')];
    });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function quoted(/** @type {string} */ text) {
  return /^[\w-]+$/.test(text) ? text : `"${text}"`;
}

/** A window with its own colours, so that it is readable on light and dark pages. */
function drawing(/** @type {string[]} */ lines) {
  const longest = Math.max(columns, ...lines.map((line) => line.length));
  const width = Math.ceil(longest * letterWidth + 2 * margin);
  const height = bar + lines.length * lineHeight + margin;
  const texts = lines.flatMap((line, at) => {
    const place = `x="${margin}" y="${bar + (at + 1) * lineHeight}"`;
    return line === '' ? [] : [`  <text ${place} xml:space="preserve">${coloured(line)}</text>`];
  });
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, at) => `  <circle cx="${margin + 4 + at * 20}" cy="18" r="6" fill="${fill}"/>`,
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    '  <title>A session of mneme in a terminal</title>',
    `  <rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10"`,
    '    fill="#16181d" stroke="#5b6270"/>',
    ...dots,
    `  <g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"`,
    `    font-size="${fontSize}" fill="#d7dae0">`,
    ...texts,
    '  </g>',
    '</svg>',
  ].join('\n')}\n`;
}

/** The command is bright, and the word for what happened to a fact is coloured. */
function coloured(/** @type {string} */ line) {
  const [, word = '', rest = ''] = /^( {2}(?:stored|changed)| *-)(.*)$/.exec(line) ?? [];
  if (line.startsWith('$ ')) return `${span('#7fb4ff', '$')}${span('#ffffff', line.slice(1))}`;
  if (word === '') return escaped(line);
  return `${span(word.endsWith('changed') ? '#f2c063' : '#8fd694', word)}${escaped(rest)}`;
}

function span(/** @type {string} */ fill, /** @type {string} */ text) {
  return `<tspan fill="${fill}">${escaped(text)}</tspan>`;
}

function escaped(/** @type {string} */ text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Removes what differs from run to run: the days of memories, and their ids. */
function withoutChance(/** @type {string} */ text) {
  return text.replaceAll(/\(\d{4}-\d\d-\d\d\)/g, '(DAY)').replaceAll(/\b[\da-f]{8}\b/g, 'SHORT_ID');
}
