import { type ClientName, clientNames, isClientName } from '../../client-entries/clients.ts';
import { npxCommand } from '../../client-entries/program-entry.ts';
import { environment } from '../../config/environment.ts';
import { currentHome } from '../../config/user-folders.ts';
import { ApiError } from '../../contract/errors.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command.ts';
import { unknownNameError } from '../command-line/find-command.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import { isSwitchOn, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { agentsMdTarget, hasAgentsSection } from '../init/agents-md.ts';
import {
  applyPlan,
  createPlan,
  type InitOutcome,
  type InitPlan,
  toOutcome,
} from '../init/apply-plan.ts';
import { currentPlatform, type HostEnvironment } from '../init/environment.ts';
import { formatOutcomes, formatPlan } from '../init/report.ts';
import { resolveAddress } from '../init/server-address.ts';
import { createServerLaunch } from '../init/server-launch.ts';
import { startCommand } from '../init/start-command.ts';
import {
  createTarget,
  type InitScope,
  type InitTarget,
  isClientInstalled,
} from '../init/target.ts';
import { createTerminalPrompt, isTerminal, type PromptAnswer } from '../init/terminal-prompt.ts';
import { print, printJson, wrapText } from '../io/output.ts';

/** Connects clients to this program, or undoes that. */
export const run: RunCommand = async (args) => {
  const { flags } = args;
  const wants = {
    undo: isSwitchOn(flags.undo),
    json: wantsJsonOutput(flags),
    yes: isSwitchOn(flags.yes),
    choosesTools: flags.toolsets !== undefined || flags.tools !== undefined,
  };
  const targets = await selectTargets(args);
  const steps = await Promise.all(
    targets.map(async (target) => ({ target, plan: await createPlan(target, wants) })),
  );
  const decider = createDecider({ ...wants, dryRun: isSwitchOn(flags.dry_run) });
  const outcomes: InitOutcome[] = [];
  for (const { target, plan } of steps) {
    const isOpen = plan.kind !== 'none' && plan.kind !== 'refused';
    const isApproved = isOpen && (await decider.decide(target, plan));
    outcomes.push(isApproved ? await applyPlan(target, plan) : toOutcome(target, plan));
  }
  decider.close();
  if (wants.json) printJson({ files: outcomes });
  else print(formatOutcomes(outcomes, targets, wants));
  return initExitCode(outcomes, isSwitchOn(flags.dry_run) || wants.yes || isTerminal());
};

async function selectTargets({ flags, positionals }: CommandArguments): Promise<InitTarget[]> {
  const host = currentHost();
  const scope = readInitScope(flags.scope);
  const names = readClientNames(positionals);
  const wantsAgents = isSwitchOn(flags.agents_md);
  const clients = names.length > 0 || wantsAgents ? names : findInstalledClients(host);
  const undoesAll = isSwitchOn(flags.undo) && names.length === 0;
  const hasAgents = wantsAgents || (undoesAll && (await hasAgentsSection(host)));
  const agents = hasAgents ? [agentsMdTarget(host)] : [];
  const connection = await resolveConnection(flags, { place: host, scope });
  const targets = clients.flatMap((name) => createTarget(name, host, { scope, connection }) ?? []);
  const all = [...agents, ...withoutDuplicateFiles(targets)];
  if (all.length > 0) return all;
  if (clients.length === 0) throw noClientError();
  const clientList = clients.join(', ');
  throw new ApiError(
    'not_found',
    `none of ${clientList} reads a file in a project; leave out --scope project`,
  );
}

function noClientError(): ApiError {
  const entry = { mcpServers: { mneme: startCommand() } };
  const next = [
    ...wrapText(
      `Name one to connect it anyway, as in mneme init cursor: ${clientNames.join(', ')}.`,
    ),
    'For any other client, add this to its list of MCP servers:',
    JSON.stringify(entry, null, 2),
  ].join('\n');
  return new ApiError('not_found', 'no client was found on this machine', { next });
}

function currentHost(): HostEnvironment {
  return { platform: currentPlatform(), home: currentHome(), cwd: process.cwd(), env: environment };
}

function readInitScope(scope: string | boolean | undefined): InitScope {
  if (scope === undefined || scope === 'user') return 'user';
  if (scope === 'project') return scope;
  throw new ApiError('invalid', 'flag --scope: must be user or project');
}

function readClientNames(words: readonly string[]): ClientName[] {
  return words.map((name) => {
    if (isClientName(name)) return name;
    throw unknownNameError(name, { kind: 'client', known: clientNames });
  });
}

function findInstalledClients(host: HostEnvironment): ClientName[] {
  return clientNames.filter((name) => isClientInstalled(name, host));
}

type InitLocation = { place: HostEnvironment; scope: InitScope };

/** A project's file is also used on other machines, so it must not contain a path of this one. */
async function resolveConnection(flags: CommandArguments['flags'], { place, scope }: InitLocation) {
  const command = scope === 'project' ? npxCommand(process.platform) : startCommand();
  if (isSwitchOn(flags.undo)) return { ...command, env: {} };
  const loaded = await loadCommandConfig({ flags });
  const context = { flags, loaded, env: place.env, secrets: isSwitchOn(flags.with_secrets) };
  return typeof flags.url === 'string'
    ? resolveAddress(flags.url, context)
    : createServerLaunch(command, context);
}

/** Some clients share a file. */
function withoutDuplicateFiles(targets: readonly InitTarget[]): InitTarget[] {
  return targets.filter(
    ({ file }, index) => targets.findIndex((target) => target.file === file) === index,
  );
}

type InitSwitches = { undo: boolean; yes: boolean; json: boolean; dryRun: boolean };

/** Asks about each file at a terminal; elsewhere --yes is required. */
function createDecider({ undo, yes, json, dryRun }: InitSwitches) {
  let asker: ReturnType<typeof createTerminalPrompt> | null = null;
  let answer: PromptAnswer | null = null;
  const decide = async (target: InitTarget, plan: InitPlan): Promise<boolean> => {
    if (!json) print(`${formatPlan(target, plan)}\n`);
    if (dryRun) return false;
    if (yes) return true;
    if (!isTerminal() || answer === 'quit') return false;
    asker ??= createTerminalPrompt();
    if (answer !== 'all') answer = await asker.ask(undo ? 'Undo this?' : 'Write this?');
    return answer === 'yes' || answer === 'all';
  };
  return { decide, close: () => asker?.close() };
}

function initExitCode(outcomes: readonly InitOutcome[], isDecided: boolean): number {
  if (outcomes.some(({ change }) => change === 'refused')) return 4;
  const isOpen = outcomes.some(({ change, done }) => change !== 'none' && !done);
  if (!isOpen || isDecided) return 0;
  printToStderr('Nothing was written. Add --yes to write this, or --dry-run to only show it.');
  return 2;
}
