import { flagName, optionNames, options } from '../../config/options.ts';
import { contract } from '../../contract.ts';
import type { Command, RunCommand } from '../command-line/command.ts';
import { commands, commandWords } from '../command-line/command-table.ts';
import { findAction, resolveCommandName, unknownNameError } from '../command-line/find-command.ts';
import { requirePositionals } from '../command-line/read-arguments.ts';
import { print } from '../io/output.ts';

/** Prints the completion of a shell, made from the tables that help is made from. */
export const run: RunCommand = async ({ positionals }) => {
  const [shell = ''] = requirePositionals(positionals, 'SHELL');
  const write = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (write === undefined) {
    throw unknownNameError(shell, { kind: 'shell', known: Object.keys(scripts) });
  }
  print(write(completions()));
  return 0;
};

type CompletionWord = { word: string; about: string };

/** What can follow the words of a command line, such as `keys create`. */
type Completion = {
  after: string;
  words: readonly CompletionWord[];
  flags: readonly CompletionWord[];
};

function completions(): Completion[] {
  return ['', ...commandWords].flatMap((name) => {
    const command: Command = commands[resolveCommandName(name)];
    const words = wordsAfter(name, command);
    const whole = { after: name, words, flags: flagsOf(command) };
    const actions = Object.keys(command.actions ?? {}).flatMap((action) => {
      const subcommand = findAction(command, action);
      if (subcommand === null) return [];
      return [{ after: `${name} ${action}`, words: [], flags: flagsOf(subcommand) }];
    });
    return [whole, ...actions];
  });
}

function wordsAfter(name: string, { actions = {} }: Command): CompletionWord[] {
  if (name === '' || name === 'help') {
    return commandWords.map((word) => ({ word, about: commands[resolveCommandName(word)].about }));
  }
  if (name === 'call') {
    return Object.entries(contract).map(([word, { summary }]) => ({ word, about: summary }));
  }
  return Object.entries(actions).map(([word, { about }]) => ({ word, about }));
}

function flagsOf({ flags }: Command): CompletionWord[] {
  const own = Object.entries(flags)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, { about }]) => ({ word: flagName(name), about }));
  const shared = optionNames.map((name) => ({
    word: flagName(name),
    about: options[name].description,
  }));
  const ownWords = new Set(own.map(({ word }) => word));
  const others = shared.filter(({ word }) => !ownWords.has(word));
  const config = { word: '--config', about: 'Configuration file to read.' };
  return [...own, ...others, config, { word: '--help', about: 'Explain.' }];
}

const scripts: Readonly<Record<string, (all: readonly Completion[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const plain = ({ word }: CompletionWord) => word;

function cases(all: readonly Completion[], bodyOf: (one: Completion) => string): string {
  return all.map((one) => `    ${quote(one.after)}) ${bodyOf(one)} ;;`).join('\n');
}

/** Files are offered where neither a command nor a flag can follow. */
function bashScript(all: readonly Completion[]): string {
  return `_mneme() {
  local current=\${COMP_WORDS[COMP_CWORD]} after= words= flags=
  [[ $COMP_CWORD -gt 1 && \${COMP_WORDS[1]} != -* ]] && after=\${COMP_WORDS[1]}
  if [[ $COMP_CWORD -gt 2 ]]; then
    case "$after \${COMP_WORDS[2]}" in
      ${actionNames(all).map(quote).join('|')}) after="$after \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$after" in
${cases(all, ({ words, flags }) => `words=${list(words)} flags=${list(flags)}`)}
  esac
  [[ $after == *' '* || $COMP_CWORD -gt 2 ]] && words=
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=()
  fi
}
complete -o default -F _mneme mneme`;
}

function zshScript(all: readonly Completion[]): string {
  return `#compdef mneme
_mneme() {
  local after= found
  local -a items
  (( CURRENT > 2 )) && [[ \${words[2]} != -* ]] && after=\${words[2]}
  if (( CURRENT > 3 )); then
    case "$after \${words[3]}" in
      ${actionNames(all).map(quote).join('|')}) after="$after \${words[3]}" ;;
    esac
  fi
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$after" in
${cases(all, ({ flags }) => `items=(${described(flags)})`)}
    esac
    _describe -o flag items
    return
  fi
  (( CURRENT > 3 )) && { _files; return; }
  case "$after" in
${cases(all, ({ words }) => `items=(${described(words)})`)}
  esac
  if (( $#items )); then _describe command items; else _files; fi
}
compdef _mneme mneme`;
}

function fishScript(all: readonly Completion[]): string {
  return `function __mneme_after
  set -l words (commandline -opc)
  set -e words[1]
  switch "$words[1..2]"
    case ${actionNames(all).map(quote).join(' ')}
      echo "$words[1..2]"
    case '-*' ''
      echo ''
    case '*'
      echo $words[1]
  end
end
function __mneme_has_flags_of
  set -l after (__mneme_after)
  test "$after" = "$argv"
end
function __mneme_is_just_after
  set -l words (commandline -opc)
  set -e words[1]
  test "$words" = "$argv"
end
${all.flatMap(fishLines).join('\n')}`;
}

function fishLines({ after, words, flags }: Completion): string[] {
  const line = (when: string, what: string, about: string) =>
    `complete -c mneme -n ${quote(`${when} ${after}`)} ${what} -d ${quote(about)}`;
  return [
    ...words.map(({ word, about }) => line('__mneme_is_just_after', `-f -a ${quote(word)}`, about)),
    ...flags.map(({ word, about }) => line('__mneme_has_flags_of', `-l ${word.slice(2)}`, about)),
  ];
}

function actionNames(all: readonly Completion[]): string[] {
  return all.map(({ after }) => after).filter((after) => after.includes(' '));
}

function list(words: readonly CompletionWord[]): string {
  return quote(words.map(plain).join(' '));
}

function described(words: readonly CompletionWord[]): string {
  return words.map(({ word, about }) => quote(`${word}:${about.replaceAll(':', '\\:')}`)).join(' ');
}

/** A text as one word; all three shells read single quotes alike. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
