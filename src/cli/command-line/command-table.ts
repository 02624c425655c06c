import { type Command, entityFlags, jsonFlag, machineFlagNames, machineFlags } from './command.ts';
import { clockFlags, memoryCommands } from './memory-commands.ts';

const ownerHelp = 'whose memories to read there, or the owner of those in FILE.';

/** Every command; the one without a name is the MCP server. */
export const commands = {
  '': {
    usage: 'mneme [flags]',
    about: 'Serve MCP over standard input and output.',
    flags: {},
  },
  init: {
    usage: 'mneme init [CLIENT...] [--dry-run] [--yes] [--undo] [flags]',
    about: 'Connect the MCP clients on this machine.',
    more: 'The server that they start gets the same flags.',
    flags: {
      dry_run: { kind: 'switch', about: 'Show the changes and write nothing.' },
      yes: { kind: 'switch', about: 'Write without asking.' },
      undo: { kind: 'switch', about: 'Remove the entry again, and the part in ./AGENTS.md.' },
      scope: { kind: 'text', about: 'user (default), or project: files of the working folder.' },
      url: {
        kind: 'text',
        about: 'Connect to this MCP address over HTTP instead of starting a program.',
      },
      agents_md: { kind: 'switch', about: 'Tell agents about their memory in ./AGENTS.md.' },
      with_secrets: { kind: 'switch', about: 'Write secret options into the files too.' },
      json: jsonFlag,
    },
  },
  demo: {
    usage: 'mneme demo',
    about: 'Show what an agent does with a memory; leaves nothing behind.',
    flags: {},
  },
  reindex: {
    usage: 'mneme reindex [--all] [flags]',
    about: 'Embed the memories that have no vector yet.',
    flags: { all: { kind: 'switch', about: 'Embed all memories again.' }, json: jsonFlag },
  },
  models: {
    usage: 'mneme models [use NAME | off] [--json] [flags]',
    about: 'List, fetch and use embedding models.',
    more: 'off goes back to the word vectors shipped with mneme.',
    flags: machineFlags,
    options: ['local_models_dir', 'local_hub_url', 'local_dtype'],
  },
  ...memoryCommands,
  hook: {
    usage: 'mneme hook ACTION [flags]',
    about: 'Recall and store for the hooks of a client.',
    more: 'It reads their JSON from standard input.',
    flags: {
      wait: { kind: 'switch', about: 'Store before exiting instead of in the background.' },
    },
    actions: {
      'session-start': {
        usage: 'mneme hook session-start [flags]',
        about: 'Print what is known about the project and the user.',
        flags: [],
      },
      prompt: {
        usage: 'mneme hook prompt [flags]',
        about: 'Print memories related to a prompt.',
        flags: [],
      },
      'session-end': {
        usage: 'mneme hook session-end [--wait] [flags]',
        about: 'Store what was said since the last time.',
        flags: ['wait'],
      },
    },
  },
  serve: {
    usage: 'mneme serve [--host ADDRESS] [--port PORT] [flags]',
    about: 'Serve the REST API and MCP over HTTP.',
    flags: {},
    options: ['host', 'port', 'allowed_hosts', 'database_url'],
  },
  ui: {
    usage: 'mneme ui [--print] [--port PORT] [--json] [flags]',
    about: 'Open the dashboard in the browser, without a key.',
    flags: {
      print: { kind: 'switch', about: 'Print the link instead of opening a browser.' },
      json: jsonFlag,
    },
    options: ['port', 'read_only', 'lock_scope'],
  },
  call: {
    usage: "mneme call OPERATION [--json '{...}'] [--field value ...] [flags]",
    about: 'Run one operation and print its result.',
    flags: {
      json: { kind: 'text', about: 'Input as JSON; - reads it from standard input.' },
      output: { kind: 'text', about: 'json: print errors as JSON too.' },
    },
    open: true,
  },
  keys: {
    usage: 'mneme keys ACTION [flags]',
    about: 'Create, list and revoke API keys.',
    flags: {
      name: { kind: 'text', about: 'What the key is for, for people to read.' },
      email: { kind: 'text', about: 'Account of the key, created if new. Default: the owner.' },
      org_id: { kind: 'text', about: 'Limit the key to this organization.' },
      project_id: { kind: 'text', about: 'Limit the key to this project.' },
      read_only: { kind: 'switch', about: 'Make the key read-only.' },
      expires_in_days: { kind: 'text', about: 'Days until the key expires.' },
      ...machineFlags,
    },
    actions: {
      create: {
        usage: 'mneme keys create [--name NAME] [--project-id ID] [flags]',
        about: 'Create a key and print it; it is shown only once.',
        flags: [
          'name',
          'email',
          'org_id',
          'project_id',
          'read_only',
          'expires_in_days',
          ...machineFlagNames,
        ],
      },
      list: {
        usage: 'mneme keys list [flags]',
        about: 'List the keys, newest first, without their text.',
        flags: machineFlagNames,
      },
      revoke: {
        usage: 'mneme keys revoke KEY_ID [flags]',
        about: 'Revoke a key immediately.',
        flags: machineFlagNames,
      },
    },
  },
  invitations: {
    usage: 'mneme invitations ACTION [flags]',
    about: 'List and answer invitations to organizations.',
    flags: { page: { kind: 'text', about: 'Page of the list, from 1.' }, ...machineFlags },
    actions: {
      list: {
        usage: 'mneme invitations list [--page N] [flags]',
        about: 'List the invitations, newest first.',
        flags: ['page', ...machineFlagNames],
      },
      accept: {
        usage: 'mneme invitations accept ORG_ID [flags]',
        about: 'Become a member where the organization invites the account.',
        flags: machineFlagNames,
      },
      decline: {
        usage: 'mneme invitations decline ORG_ID [flags]',
        about: 'Remove the invitations of the organization.',
        flags: machineFlagNames,
      },
    },
  },
  webhooks: {
    usage: 'mneme webhooks ACTION [flags]',
    about: 'List webhooks and their deliveries.',
    flags: { page: { kind: 'text', about: 'Page of the list, from 1.' }, ...machineFlags },
    actions: {
      list: {
        usage: 'mneme webhooks list [flags]',
        about: 'List the webhooks of the project.',
        flags: machineFlagNames,
      },
      deliveries: {
        usage: 'mneme webhooks deliveries WEBHOOK_ID [--page N] [flags]',
        about: 'List the deliveries of a webhook, newest first.',
        flags: ['page', ...machineFlagNames],
      },
    },
  },
  users: {
    usage: 'mneme users [--page N] [--json] [flags]',
    about: 'List the users and count their memories.',
    flags: { page: { kind: 'text', about: 'Page of the list, from 1.' }, json: jsonFlag },
  },
  export: {
    usage: 'mneme export FILE [flags]',
    about: 'Write a project as JSON Lines.',
    more: 'It holds memories, history and feedback. FILE may be - for standard output.',
    flags: { ...entityFlags, ...clockFlags, json: jsonFlag },
  },
  import: {
    usage: 'mneme import FILE [--chat] [--dry-run] [--from-url URL --api-key KEY] [flags]',
    about: 'Read an export, conversations or another instance.',
    more: 'It reads files of server-memory too.',
    flags: {
      chat: { kind: 'switch', about: 'FILE holds conversations: ChatGPT, Claude, Markdown, JSON.' },
      verbatim: { kind: 'switch', about: 'With --chat: store each turn as it is.' },
      again: { kind: 'switch', about: 'With --chat: import again what an earlier import stored.' },
      dry_run: { kind: 'switch', about: 'Check every line and change nothing.' },
      trust: {
        kind: 'switch',
        about: 'FILE is your own export: believe its sources and settings.',
      },
      skip_invalid: { kind: 'switch', about: 'Skip invalid lines, and say which.' },
      from_url: { kind: 'text', about: 'Base address of an instance to read instead of FILE.' },
      api_key: { kind: 'text', about: 'Key for that instance; - reads it from standard input.' },
      from_org_id: { kind: 'text', about: 'Organization there.' },
      from_project_id: { kind: 'text', about: 'Project there.' },
      user_id: { kind: 'text', about: `User: ${ownerHelp}` },
      agent_id: { kind: 'text', about: `Agent: ${ownerHelp}` },
      app_id: { kind: 'text', about: `App: ${ownerHelp}` },
      run_id: { kind: 'text', about: `Session: ${ownerHelp}` },
      ...machineFlags,
    },
  },
  erase: {
    usage: 'mneme erase MEMORY_ID... [--user-id ID] [--dry-run] [--yes] [flags]',
    about: 'Erase memories or an entity with all copies, after asking.',
    more: 'It prints a receipt. What is erased cannot be brought back.',
    flags: {
      user_id: { kind: 'text', about: 'Erase this user and all its memories.' },
      agent_id: { kind: 'text', about: 'Erase this agent and all its memories.' },
      app_id: { kind: 'text', about: 'Erase this app and all its memories.' },
      run_id: { kind: 'text', about: 'Erase this session and all its memories.' },
      dry_run: { kind: 'switch', about: 'Only show what would be erased.' },
      yes: { kind: 'switch', about: 'Erase without asking.' },
      verify: {
        kind: 'switch',
        about: 'Also rewrite the file and search its bytes; alone, only that.',
      },
      json: jsonFlag,
    },
  },
  audit: {
    usage: 'mneme audit ACTION [--json] [flags]',
    about: 'Check the audit log, or print it.',
    flags: {
      head: { kind: 'text', about: 'Hashes that mneme audit head printed, with commas.' },
      json: jsonFlag,
    },
    actions: {
      verify: {
        usage: 'mneme audit verify [--head HASH,...] [--json] [flags]',
        about: 'Check that no entry was changed, and that those with these hashes are there.',
        flags: ['head', 'json'],
      },
      head: {
        usage: 'mneme audit head [--json] [flags]',
        about: 'Print the hashes of the last entries, to be kept elsewhere.',
        flags: ['json'],
      },
      export: {
        usage: 'mneme audit export [flags]',
        about: 'Print the audit log as JSON Lines.',
        flags: ['json'],
      },
    },
  },
  backup: {
    usage: 'mneme backup FILE [flags]',
    about: 'Copy the whole store while it is in use.',
    flags: { json: jsonFlag },
  },
  restore: {
    usage: 'mneme restore FILE [--yes] [flags]',
    about: 'Replace the store with a backup.',
    more: 'The old store is kept next to it.',
    flags: {
      yes: { kind: 'switch', about: 'Replace the store that is there.' },
      json: jsonFlag,
    },
  },
  migrate: {
    usage: 'mneme migrate [--from STORE] [--to STORE] [--resume] [flags]',
    about: 'Move a whole store between SQLite and PostgreSQL.',
    more: 'STORE is sqlite:FILE or postgres://...',
    flags: {
      from: { kind: 'text', about: 'Store to read; it is not changed. Default: the configured.' },
      to: { kind: 'text', about: 'Empty store to move into. Default: the configured.' },
      resume: { kind: 'switch', about: 'Continue an interrupted move.' },
      ...machineFlags,
    },
  },
  tools: {
    usage: 'mneme tools [--json] [flags]',
    about: 'List the MCP tools and their cost in tokens.',
    flags: { json: jsonFlag },
  },
  config: {
    usage: 'mneme config [--sources] [--schema] [flags]',
    about: 'Print the effective configuration.',
    flags: {
      sources: { kind: 'switch', about: 'Say where each value comes from.' },
      schema: { kind: 'switch', about: 'Print the JSON Schema of the configuration file.' },
      json: { ...jsonFlag, hidden: true },
    },
  },
  doctor: {
    usage: 'mneme doctor [--json] [flags]',
    about: 'Check this machine, the data and the configuration.',
    more: 'It changes nothing.',
    flags: { json: jsonFlag },
  },
  completion: {
    usage: 'mneme completion SHELL',
    about: 'Print the completion for bash, zsh or fish.',
    flags: {},
    actions: {
      bash: {
        usage: 'mneme completion bash',
        about: 'For ~/.bashrc: eval "$(mneme completion bash)"',
        flags: [],
      },
      zsh: {
        usage: 'mneme completion zsh',
        about: 'For ~/.zshrc, after compinit: eval "$(mneme completion zsh)"',
        flags: [],
      },
      fish: {
        usage: 'mneme completion fish',
        about: 'For ~/.config/fish/config.fish: mneme completion fish | source',
        flags: [],
      },
    },
  },
  help: {
    usage: 'mneme help [COMMAND | options]',
    about: 'Explain a command, or list all options.',
    flags: {},
  },
} satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

const byName = new Map(
  Object.entries<Command>(commands).flatMap(([name, { aliases = [] }]) => {
    return [name, ...aliases].map((word) => [word, name as CommandName] as const);
  }),
);

/** The command that a word names, or undefined. */
export function commandNamed(word: string): CommandName | undefined {
  return byName.get(word);
}

/** Names of commands as people type them, with aliases. */
export const commandWords = [...byName.keys()].filter((word) => word !== '');
