import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import rules from '../../.dependency-cruiser.mjs';
import { commandNamed, commands } from '../../src/cli/command-line/command-table.ts';
import { operationFields } from '../../src/cli/command-line/operation-fields.ts';
import { exitCodes } from '../../src/cli/errors/report-error.ts';
import { configVariable } from '../../src/config/environment-variables.ts';
import { optionProblem } from '../../src/config/option-values.ts';
import {
  flagName,
  isOptionName,
  optionNames,
  options,
  variableName,
} from '../../src/config/options.ts';
import { limits } from '../../src/contract/limits.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import { parseFilter } from '../../src/contract/schemas/filter.ts';
import { allowedOperators, filterFields } from '../../src/contract/schemas/filter-value.ts';
import { contract } from '../../src/contract.ts';

const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['docs', 'src', 'test', '.github'].flatMap(markdownIn),
];

/** What a reader is ready to read before a first try. */
const readmeBytesMax = 12_000;

/** Limits that nobody meets: the last instant that can be written. */
const unlisted = ['timestamp_max_seconds'];

describe.each(documents)('%s', (path) => {
  const text = readFileSync(path, 'utf8');

  it('has JSON that parses', () => {
    const broken = fencesOf(text, 'json').filter((json) => !parses(json));

    expect(broken).toEqual([]);
  });

  it('has TOML of plain tables and values', () => {
    const lines = fencesOf(text, 'toml').flatMap((toml) => toml.trim().split('\n'));
    const broken = lines.filter((line) => !/^\[[\w.]+\]$/.test(line) && !parses(tomlValueOf(line)));

    expect(broken).toEqual([]);
  });

  it('names scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

    const unknown = scriptsNamed(text).filter((script) => !Object.hasOwn(scripts, script));

    expect(unknown).toEqual([]);
  });

  // Benchmarks are started through npm and have flags of their own.
  it.skipIf(path.includes('/bench/'))('names commands, operations and flags that exist', () => {
    const problems = commandLines(text).flatMap(problemsOf);

    expect(problems).toEqual([]);
  });

  it('names variables that exist', () => {
    const ofTests = variablesIn(readFileSync('test/support/rounds.ts', 'utf8'));
    const known = [...optionNames.map(variableName), configVariable, ...ofTests];

    expect(variablesIn(text).filter((variable) => !known.includes(variable))).toEqual([]);
  });

  it('names files and folders of the project that exist', () => {
    expect(pathsIn(text, path).filter((name) => !isPath(name, path))).toEqual([]);
  });

  it('has relative links that lead somewhere', () => {
    const broken = linksOf(text).filter((link) => !leadsSomewhere(link, path));

    expect(broken).toEqual([]);
  });
});

describe('the README', () => {
  const text = readFileSync('README.md', 'utf8');

  it(`has at most ${readmeBytesMax} bytes`, () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(readmeBytesMax);
  });

  it('leads to every document', () => {
    const links = linksOf(text);

    expect(markdownIn('docs').filter((path) => !links.includes(path))).toEqual([]);
  });
});

describe('docs/command-line.md', () => {
  const text = readFileSync('docs/command-line.md', 'utf8');

  it('lists every command', () => {
    const rows = firstCells(text);

    for (const { usage } of Object.values(commands)) {
      expect(rows).toContain(`\`${usage.replace(/ \[.*$/, '')}\``);
    }
  });

  it('lists every exit code with its meaning', () => {
    for (const [code, meaning] of Object.entries(exitCodes)) {
      expect(text).toContain(`| ${code} | ${meaning} |`);
    }
  });
});

describe('docs/search.md', () => {
  const text = readFileSync('docs/search.md', 'utf8');

  it('shows a search that is understood', () => {
    const searches = jsonIn(text).filter((json) => 'query' in json);

    expect(searches).not.toEqual([]);
    for (const search of searches) {
      expect(parseInput(contract.search_memories, search)).toMatchObject({ top_k: 5 });
    }
  });
});

describe('docs/configuration.md', () => {
  const text = readFileSync('docs/configuration.md', 'utf8');

  it('shows configuration files that are valid', () => {
    const files = jsonIn(text).filter((json) => Object.keys(json).some(isOptionName));

    expect(files).not.toEqual([]);
    expect(files.flatMap((file) => Object.entries(file).map(problemOfEntry))).toEqual(
      files.flatMap((file) => Object.keys(file).map(() => null)),
    );
  });
});

describe('docs/filters.md', () => {
  const text = readFileSync('docs/filters.md', 'utf8');

  it('shows filters that are understood', () => {
    for (const filter of jsonIn(text)) expect(() => parseFilter(filter)).not.toThrow();
  });

  it('lists the operators of every field', () => {
    for (const field of Object.keys(filterFields) as (keyof typeof filterFields)[]) {
      const operators = allowedOperators({ field, path: [] }).join(', ');
      expect(text).toContain(`| \`${field}\` | ${operators} |`);
    }
  });
});

it.each(Object.entries(limits).filter(([name]) => !unlisted.includes(name)))(
  'docs/memory-model.md says the limit %s',
  (_name, limit) => {
    const table = readFileSync('docs/memory-model.md', 'utf8').split('\n## Limits\n')[1] ?? '';
    const numbers = table.match(/\d[\d,.]*\d|\d/g) ?? [];

    expect(numbers).toContain(limit.toLocaleString('en'));
  },
);

it('src/README.md has the import table that is enforced', () => {
  const text = readFileSync('src/README.md', 'utf8');
  const parts = rules.forbidden.flatMap(({ name }) => /^(\w+)-imports$/.exec(name)?.[1] ?? []);

  expect(parts).toContain('core');
  for (const part of parts) {
    const imports = allowedBy(`${part}-imports`) ?? '-';
    const uses = allowedBy(`${part}-packages`) ?? 'its own';
    expect(text).toContain(`| ${part} | ${imports} | ${uses} |`);
  }
});

/** The list in the comment of a rule; `-` for none, null when there is no such rule. */
function allowedBy(rule: string): string | null {
  const comment = rules.forbidden.find(({ name }) => name === rule)?.comment;
  if (comment === undefined) return null;
  const [, list = ''] = /may import (?:these packages: )?(.+)\.$/.exec(comment) ?? [];
  return /^(nothing|none)/.test(list) ? '-' : list;
}

function markdownIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  return names
    .map((name) => join(folder, String(name)).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'))
    .sort();
}

function fencesOf(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(fence)].map(([, body = '']) => body);
}

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** Texts and lists of texts are written in TOML as in JSON. */
function tomlValueOf(line: string): string {
  return line.replace(/^\w+ = /, '');
}

function jsonIn(text: string): Record<string, unknown>[] {
  return fencesOf(text, 'json').map((json) => JSON.parse(json));
}

/** Inline code, lines of shell examples, and the arguments of client configurations. */
function codeOf(text: string): string[] {
  const shell = fencesOf(text, 'sh').flatMap((body) => body.split('\n'));
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const configured = [...text.matchAll(/\[("-y"|"\/c"|"[^"]*cli\.js")[^\]]*\]/g)].map(([list]) =>
    (JSON.parse(list) as string[]).join(' '),
  );
  return [...shell.map((line) => line.replace(/\s+#.*$/, '')), ...inline, ...configured];
}

function variablesIn(text: string): string[] {
  return [...text.matchAll(/\bMNEME_[A-Z_]*[A-Z]/g)].map(([variable]) => variable);
}

const projectFolders = ['deploy', 'docs', 'examples', 'plugins', 'scripts', 'src', 'test'];

/**
 * Paths in inline code: those that begin with a folder of the project. Documents beside code name
 * files of their own folder too; all others say where things are on the reader's machine.
 */
function pathsIn(text: string, document: string): string[] {
  const isBesideCode = /^(?:src|test)\//.test(document);
  return codeOf(text)
    .filter((code) => /^\.?[\w-][\w./-]*$/.test(code))
    .filter((code) =>
      isBesideCode
        ? /\/$|\.(?:[cm]?[jt]s|md|snap|txt|wat)$/.test(code)
        : projectFolders.some((folder) => code.startsWith(`${folder}/`)),
    );
}

function isPath(name: string, document: string): boolean {
  return existsSync(name) || existsSync(join(dirname(document), name));
}

function scriptsNamed(text: string): string[] {
  return codeOf(text).flatMap((code) => {
    const [, script] = /^npm (?:run )?(?:-\S+ )*(?!install|ci)([a-z:-]+)/.exec(code) ?? [];
    return script === undefined ? [] : [script];
  });
}

/** What follows the name of the program, and flags that stand alone. */
function commandLines(text: string): string[] {
  return codeOf(text).flatMap((code) => {
    if (code.startsWith('npm ')) return [];
    if (code.startsWith('--')) return [code];
    // Not what something else is called by it, as in `docker run --name mneme`.
    const program = /^.*(?:^|(?<!--\w+)[\s/])(?:mneme|cli\.js)(?=\s|$)(.*)$/;
    const [, rest] = program.exec(code) ?? [];
    return rest === undefined ? [] : [rest.trim()];
  });
}

function problemsOf(line: string): string[] {
  const words = line.replaceAll(/"[^"]*"|'[^']*'/g, 'VALUE').split(/\s+/);
  const [first = '', second = ''] = words;
  const name = /^[a-z]/.test(first) ? first : '';
  if (commandNamed(name) === undefined) return [`${line}: no command ${name}`];
  if (name === 'call' && /^[a-z]/.test(second) && !Object.hasOwn(contract, second)) {
    return [`${line}: no operation ${second}`];
  }
  const known = line.startsWith('--') ? allFlags() : flagsOf(name, second);
  return words
    .filter((word) => word.startsWith('--'))
    .map((word) => word.replace(/[.=].*$/, ''))
    .filter((flag) => !known.includes(flag) && !known.includes(flag.replace('--no-', '--')))
    .map((flag) => `${line}: no flag ${flag}`);
}

function flagsOf(word: string, operation: string): string[] {
  const shared = [...optionNames, 'config', 'help', 'version'].map(flagName);
  const name = commandNamed(word);
  const own = name === undefined ? [] : Object.keys(commands[name].flags).map(flagName);
  const found = Object.entries(contract).filter(([name]) => name === operation);
  const fields = found.flatMap(([, operation]) =>
    operationFields(operation).map(({ name }) => flagName(name)),
  );
  return [...shared, ...own, ...fields];
}

function allFlags(): string[] {
  return Object.keys(commands).flatMap((name) => flagsOf(name, ''));
}

function linksOf(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(link: string, from: string): boolean {
  const [target = '', anchor] = link.split('#');
  const path = target === '' ? from : join(dirname(from), target);
  if (!existsSync(path)) return false;
  return anchor === undefined || anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function firstCells(text: string): string[] {
  return [...text.matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell);
}

function problemOfEntry([name, value]: [string, unknown]): string | null {
  return isOptionName(name) ? optionProblem(options[name], value) : `no option ${name}`;
}
