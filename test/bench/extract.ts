// What rules make of the conversations of test/extraction: `npm run bench:extract`. With
// `--wrong` it lists what is not as it should be; with `--held-out` the conversations are those that
// were written before the rules saw them.
import { parseArgs } from 'node:util';
import { loadCorpus } from '../extraction/corpus.ts';
import { judgeAll, kinds, total, type Verdict } from '../extraction/judge.ts';
import { percent, table } from './table.ts';

const flag = { type: 'boolean', default: false } as const;
const { values: flags } = parseArgs({ options: { wrong: flag, 'held-out': flag } });
const verdicts = await judgeAll(loadCorpus(flags['held-out'] ? 'held-out' : 'corpus'));
const languages = [...new Set(verdicts.map(({ conversation }) => conversation.language))];

const head = ['conversations', ...kinds.map((kind) => `${kind}, precision / recall`)];
const rows = [
  ...languages.map((language) => rowOf(language, ofLanguage(language))),
  rowOf('all', verdicts),
];
console.log(table(head, rows));
for (const { conversation, wrong } of flags.wrong ? verdicts : []) {
  if (wrong.length === 0) continue;
  const said = conversation.adds.flatMap(({ messages }) => messages.map(({ content }) => content));
  console.log(`\n${said.join(' | ')}\n  ${wrong.join('\n  ')}`);
}

function ofLanguage(language: string): Verdict[] {
  return verdicts.filter(({ conversation }) => conversation.language === language);
}

function rowOf(name: string, some: readonly Verdict[]): string[] {
  const shares = kinds.map((kind) => {
    const { expected, found, right } = total(some, kind);
    const share = (of: number) => (of === 0 ? '-' : percent(right / of));
    return `${share(found)} / ${share(expected)}`;
  });
  return [name, String(some.length), ...shares];
}
