import { type Command, entityFlags, jsonFlag, machineFlagNames, machineFlags } from './command.ts';

const explainFlags = {
  explain: { kind: 'switch', about: 'Also print how the answer came about.' },
  explain_id: { kind: 'text', about: 'Also print why this memory is not in the answer.' },
} as const;

/** See docs/time.md. */
export const clockFlags = {
  as_of: { kind: 'text', about: 'What was known then: a time, "2 days ago" or a snapshot.' },
  valid_at: { kind: 'text', about: 'What was true then: a time, or "2 days ago".' },
} as const;

/** The commands that people and scripts use on memories. */
export const memoryCommands = {
  list: {
    usage: 'mneme list [--page N] [--as-of TIME] [--valid-at TIME] [--json] [flags]',
    about: 'List memories, newest first.',
    flags: {
      page: { kind: 'text', about: 'Page of the list, from 1.' },
      page_size: { kind: 'text', about: 'Memories on a page. Default: 20.' },
      limit: { kind: 'text', about: 'The same as --page-size.', field: 'page_size' },
      ...clockFlags,
      json: jsonFlag,
    },
  },
  search: {
    usage: 'mneme search QUERY [--top-k N] [--explain] [--json | --format hook] [flags]',
    aliases: ['recall'],
    about: 'Find memories, best first.',
    flags: {
      top_k: { kind: 'text', about: 'Maximum number of memories. Default: 10.' },
      limit: { kind: 'text', about: 'The same as --top-k.', field: 'top_k' },
      threshold: { kind: 'text', about: 'Minimum score, 0 to 1. Default: 0.3.' },
      max_tokens: {
        kind: 'text',
        about: 'Maximum length of the output, in tokens. Default: 1500.',
      },
      ...clockFlags,
      ...explainFlags,
      format: { kind: 'text', about: 'text (default), or hook: for models; never fails.' },
      json: jsonFlag,
    },
  },
  context: {
    usage: 'mneme context [QUERY] [--max-tokens N] [--explain] [--json] [flags]',
    about: 'Print what is remembered as one text for an agent.',
    flags: {
      max_tokens: { kind: 'text', about: 'Maximum length, in tokens. Default: 1000.' },
      cut: { kind: 'text', about: 'Leave out weak memories: off, relaxed (default) or strict.' },
      template: { kind: 'text', about: 'markdown (default), plain, xml or json.' },
      ...clockFlags,
      ...explainFlags,
      json: jsonFlag,
    },
  },
  add: {
    usage: 'mneme add FACT [--messages FILE] [--infer] [flags]',
    aliases: ['remember'],
    about: 'Store a fact or a conversation.',
    more: 'FACT may be - for standard input.',
    flags: {
      messages: { kind: 'text', about: 'File of messages to extract facts from, in JSON.' },
      infer: { kind: 'switch', about: 'Extract facts from the text instead of storing it as is.' },
      metadata: { kind: 'text', about: 'Metadata as JSON; --metadata.topic work sets one key.' },
      valid_from: { kind: 'text', about: 'Since when it is true: a date or time.' },
      valid_until: { kind: 'text', about: 'Until when it is true.' },
      hook: { kind: 'switch', about: 'Print nothing and never fail.' },
      ...machineFlags,
    },
    words: { text: 'FACT' },
  },
  show: {
    usage: 'mneme show MEMORY_ID [--as-of TIME] [--json] [flags]',
    about: 'Show a memory with all its details.',
    flags: { ...clockFlags, json: jsonFlag },
  },
  edit: {
    usage: 'mneme edit MEMORY_ID [--json] [flags]',
    about: 'Change the text of a memory in your editor.',
    more: 'It opens what VISUAL or EDITOR names.',
    flags: { json: jsonFlag },
  },
  forget: {
    usage: 'mneme forget MEMORY_ID... [--yes] [--json] [flags]',
    about: 'Delete memories after asking.',
    more: 'Their history stays, and mneme undo brings them back.',
    flags: { yes: { kind: 'switch', about: 'Delete without asking.' }, json: jsonFlag },
  },
  history: {
    usage: 'mneme history MEMORY_ID [--json] [flags]',
    about: 'List the changes of a memory, even of a deleted one.',
    flags: { json: jsonFlag },
  },
  undo: {
    usage: 'mneme undo [MEMORY_ID] [--since "10 minutes ago"] [flags]',
    about: 'Take back the last change, or others, after asking.',
    flags: {
      event_id: { kind: 'text', about: 'Undo all changes of this event.' },
      since: {
        kind: 'text',
        about: 'Undo all changes since a time, or since, for example, "2 hours ago".',
      },
      key_id: { kind: 'text', about: 'With --since: only what this API key changed.' },
      as_of: { kind: 'text', about: 'Restore the memory as it was at this time.' },
      force: { kind: 'switch', about: 'Also undo later changes.' },
      dry_run: { kind: 'switch', about: 'Only show what would change.' },
      yes: { kind: 'switch', about: 'Do not ask.' },
      ...machineFlags,
    },
  },
  stats: {
    usage: 'mneme stats [--json] [flags]',
    about: 'Count memories, writes and searches.',
    flags: { json: jsonFlag },
  },
  review: {
    usage: 'mneme review ACTION [flags]',
    about: 'Review memories that await a decision.',
    flags: {
      ...entityFlags,
      page: { kind: 'text', about: 'Page of the list, from 1.' },
      text: { kind: 'text', about: 'Accept it with this text instead.' },
      ...machineFlags,
    },
    actions: {
      list: {
        usage: 'mneme review list [--user-id ID] [--page N] [flags]',
        about: 'List memories awaiting review, newest first, with the reason.',
        flags: ['user_id', 'agent_id', 'app_id', 'run_id', 'page', ...machineFlagNames],
      },
      accept: {
        usage: 'mneme review accept MEMORY_ID [--text TEXT] [flags]',
        about: 'Accept the memory.',
        flags: ['text', ...machineFlagNames],
      },
      decline: {
        usage: 'mneme review decline MEMORY_ID [flags]',
        about: 'Delete the memory; its history stays.',
        flags: machineFlagNames,
      },
      never: {
        usage: 'mneme review never MEMORY_ID [flags]',
        about: 'Reject it and never store similar text.',
        flags: machineFlagNames,
      },
    },
  },
} satisfies Record<string, Command>;
