import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { numberWord } from '../../scripts/reference-doc.ts';
import { clientNames } from '../../src/client-entries/clients.ts';
import { documentedDefault } from '../../src/config/option.ts';
import { optionNames, options, variableName } from '../../src/config/options.ts';
import { allRules } from '../../src/core/extraction/languages/all-languages.ts';
import { functionWords } from '../../src/core/language/function-words.ts';
import { languageNames } from '../../src/core/language/languages.ts';
import { listPrompts } from '../../src/mcp/prompts.ts';
import { resourceTemplates } from '../../src/mcp/resources.ts';
import { listTools } from '../../src/mcp/tools/list-tools.ts';
import { everything } from '../mcp/support.ts';

const tools = listTools(everything).length;
const prompts = numberWord(listPrompts({ read_only: false }).length);
const resources = numberWord(resourceTemplates.length);
const ruled = numberWord(allRules.length);

it.each([
  [
    'CHANGELOG.md',
    `An MCP server with ${tools} tools, ${prompts} prompts and ${resources} kinds of`,
  ],
  ['CHANGELOG.md', `connects ${clientNames.length} MCP clients`],
  ['CHANGELOG.md', `Rules extract facts from conversations in ${ruled} languages`],
  ['CHANGELOG.md', `Search by words in ${languageNames.length} languages`],
  ['README.md', `Rules extract facts in ${ruled} languages`],
  ['docs/tools.md', `There are ${prompts} prompts`],
  ['docs/tools.md', `${resources} kinds of resources`],
  ['docs/tools.md', `otherwise rules do, in ${ruled} languages`],
])('%s says: %s', (document, sentence) => {
  const text = readFileSync(document, 'utf8').replaceAll(/\s+/g, ' ');

  expect(text).toContain(sentence);
});

it('docs/search.md names every language that is searched by its stems', () => {
  const text = readFileSync('docs/search.md', 'utf8').toLowerCase();
  const [, row = ''] = /^\| ([^|]+) \| by their stems/m.exec(text) ?? [];

  expect(row.split(', ').sort()).toEqual([...languageNames].sort());
});

describe('defaults of options in tables written by hand', () => {
  const documents = readdirSync('docs').filter((name) => /\.md$/.test(name));
  const rows = documents
    .filter((name) => name !== 'configuration.md')
    .flatMap((name) => defaultsIn(readFileSync(`docs/${name}`, 'utf8')));

  it('are found', () => {
    expect(rows.length).toBeGreaterThan(5);
  });

  it.each(rows)('%s is %s', (name, value) => {
    expect(value).toBe(documentedDefault(options[name]));
  });
});

it.each([
  ['src/README.md', 'src', ''],
  ['src/README.md', 'src/core', 'core/'],
  ['test/README.md', 'test', ''],
])('%s says what each folder of %s is for', (document, parent, prefix) => {
  const text = readFileSync(document, 'utf8');
  const cells = [...text.matchAll(/^\| (`.+?`) \|/gm)].map(([, cell = '']) => cell).join();
  const folders = readdirSync(parent, { withFileTypes: true }).filter((one) => one.isDirectory());

  expect(folders.filter(({ name }) => !cells.includes(`\`${prefix}${name}/\``))).toEqual([]);
});

it('test/README.md says what each benchmark measures', () => {
  const text = readFileSync('test/README.md', 'utf8');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const benchmarks = Object.keys(scripts).filter((name) => name.startsWith('bench:'));

  expect(benchmarks.filter((name) => !text.includes(`| \`npm run ${name}\` |`))).toEqual([]);
});

describe('the command of CONTRIBUTING.md that finds the words of languages', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const [, options = '', pattern = '', folder = ''] =
    /^git grep (-\w+) '(.+)' (\w+)$/m.exec(text) ?? [];
  const printed = linesOf(['grep', options, pattern, folder]);

  it('prints every file of the sources that has words of other languages than English', () => {
    const files = linesOf(['ls-files', 'src']).filter((name) => /\.tsx?$/.test(name));
    const speaking = files.filter(holdsOtherLanguages);

    expect(speaking.length).toBeGreaterThan(40);
    expect(speaking.filter(isElsewhere).filter((name) => !printed.includes(name))).toEqual([]);
  });

  it('prints few others', () => {
    expect(printed.filter(isElsewhere).length).toBeLessThan(70);
  });
});

/** Outside the folders of languages, whose files need not be looked for. */
function isElsewhere(path: string): boolean {
  return !path.includes('/extraction/languages/');
}

function linesOf(args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n');
}

/** Letters of other scripts, or more words of other languages than English texts happen to have. */
function holdsOtherLanguages(path: string): boolean {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts = literalsOf(file).join(' ').toLowerCase();
  if (/\p{Script=Cyrillic}|\p{Script=Han}|\p{Script=Hiragana}/u.test(texts)) return true;
  const words = [...new Set(texts.match(/\p{L}{3,}/gu))];
  return words.filter(isForeign).length >= foreignWordsMin;
}

/** English texts have up to three by chance, such as "also", "per" and "plus". */
const foreignWordsMin = 4;

const latinLanguages = ['german', 'french', 'spanish', 'italian', 'portuguese'] as const;

function isForeign(word: string): boolean {
  const spokenIn = functionWords.get(word) ?? [];
  return !spokenIn.includes('english') && latinLanguages.some((one) => spokenIn.includes(one));
}

function literalsOf(node: ts.Node): string[] {
  const found: string[] = [];
  const visit = (part: ts.Node) => {
    if ('text' in part && typeof part.text === 'string' && !ts.isIdentifier(part)) {
      found.push(part.text);
    }
    ts.forEachChild(part, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}

/** Options in the first cell of a row, with what the second says in a column of defaults. */
function defaultsIn(text: string): [name: keyof typeof options, value: string][] {
  const tables = text.matchAll(/^\| option \| default \|.*\n\|[-| ]+\n((?:\|.*\n)+)/gm);
  const ofColumns = [...tables].flatMap(([, body = '']) =>
    [...body.matchAll(/^\| `(\w+)` \| ([^|,]+)/gm)].map(([, name, value]) => [name, value]),
  );
  const inWords = [...text.matchAll(/^\| `(\w+)` \|.*?(?:default |\()([\d,]+)\)?[ ,|]/gm)].map(
    ([, name, value]) => [name, value?.replaceAll(',', '')],
  );
  return [...ofColumns, ...inWords].flatMap(([given = '', value = '']) => {
    const name = optionNames.find((one) => one === given || variableName(one) === given);
    return name === undefined ? [] : [[name, value.trim()] as [keyof typeof options, string]];
  });
}
