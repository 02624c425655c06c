import { homedir } from 'node:os';
import { environment } from '../../config/environment.ts';
import { ApiError } from '../../contract/errors.ts';
import { tell } from '../../log.ts';
import { isJson, isOn } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { configOf } from '../configured.ts';
import type { Arguments } from '../flags.ts';
import { addressOf } from '../init/address.ts';
import { agentsTarget } from '../init/agents-md.ts';
import { type Answer, createAsker, isTerminal } from '../init/ask.ts';
import { type ClientName, clientNames, isClientName } from '../init/clients.ts';
import { type Place, platforms } from '../init/place.ts';
import { shownPlan, summary } from '../init/report.ts';
import { startOf } from '../init/start.ts';
import { carryOut, type Outcome, outcomeOf, type Plan, planOf } from '../init/step.ts';
import { isFound, type Scope, type Target, targetOf } from '../init/target.ts';
import { unknownName } from '../names.ts';
import { print, printJson } from '../output.ts';
import { npxCommand, startCommand } from '../start-command.ts';

/** Connects clients to this program, or undoes that. */
export const run: RunCommand = async (args) => {
  const { flags } = args;
  const wants = { undo: isOn(flags.undo), json: isJson(flags), yes: isOn(flags.yes) };
  const targets = await targetsOf(args);
  const steps = await Promise.all(
    targets.map(async (target) => ({ target, plan: await planOf(target, wants) })),
  );
  const decider = createDecider({ ...wants, dryRun: isOn(flags.dry_run) });
  const outcomes: Outcome[] = [];
  for (const { target, plan } of steps) {
    const isOpen = plan.kind !== 'none' && plan.kind !== 'refused';
    const goes = isOpen && (await decider.decide(target, plan));
    outcomes.push(goes ? await carryOut(target, plan) : outcomeOf(target, plan));
  }
  decider.close();
  if (wants.json) printJson({ files: outcomes });
  else print(summary(outcomes, targets, wants));
  return exitCode(outcomes, isOn(flags.dry_run) || wants.yes || isTerminal());
};

async function targetsOf({ flags, positionals }: Arguments): Promise<Target[]> {
  const place = placeHere();
  const scope = scopeOf(flags.scope);
  const agents = isOn(flags.agents_md) ? [agentsTarget(place)] : [];
  const names = namesOf(positionals);
  const chosen = names.length > 0 || agents.length > 0 ? names : found(place);
  const start = await startHere(flags, { place, scope });
  const targets = chosen.flatMap((name) => targetOf(name, place, { scope, start }) ?? []);
  const all = [...agents, ...withoutTwins(targets)];
  if (all.length > 0) return all;
  const hint = `Name one to connect it all the same: ${clientNames.join(', ')}`;
  throw new ApiError(
    'not_found',
    chosen.length === 0
      ? `no client was found on this machine. ${hint}`
      : `of ${chosen.join(', ')} none reads a file in a project; leave out --scope project`,
  );
}

function placeHere(): Place {
  const platform = platforms.find((name) => name === process.platform) ?? 'linux';
  return { platform, home: homedir(), cwd: process.cwd(), env: environment };
}

function scopeOf(given: string | boolean | undefined): Scope {
  if (given === undefined || given === 'user') return 'user';
  if (given === 'project') return given;
  throw new ApiError('invalid', 'flag --scope: must be user or project');
}

function namesOf(words: readonly string[]): ClientName[] {
  return words.map((name) => {
    if (isClientName(name)) return name;
    throw unknownName(name, { kind: 'client', known: clientNames });
  });
}

function found(place: Place): ClientName[] {
  return clientNames.filter((name) => isFound(name, place));
}

type Where = { place: Place; scope: Scope };

/** A project's file goes to other machines too: no path of this one leads to the program there. */
async function startHere(flags: Arguments['flags'], { place, scope }: Where) {
  const command = scope === 'project' ? npxCommand(process.platform) : startCommand();
  if (isOn(flags.undo)) return { ...command, env: {} };
  const loaded = await configOf({ flags });
  const given = { flags, loaded, env: place.env, secrets: isOn(flags.with_secrets) };
  return typeof flags.url === 'string' ? addressOf(flags.url, given) : startOf(command, given);
}

/** Some programs share a file. */
function withoutTwins(targets: readonly Target[]): Target[] {
  return targets.filter(
    ({ file }, index) => targets.findIndex((target) => target.file === file) === index,
  );
}

type Wants = { yes: boolean; json: boolean; dryRun: boolean };

/** Asks for each file at a terminal; elsewhere only --yes says yes. */
function createDecider({ yes, json, dryRun }: Wants) {
  let asker: ReturnType<typeof createAsker> | null = null;
  let answer: Answer | null = null;
  const decide = async (target: Target, plan: Plan): Promise<boolean> => {
    if (!json) print(`${shownPlan(target, plan)}\n`);
    if (dryRun) return false;
    if (yes) return true;
    if (!isTerminal() || answer === 'quit') return false;
    asker ??= createAsker();
    if (answer !== 'all') answer = await asker.ask('Write this?');
    return answer === 'yes' || answer === 'all';
  };
  return { decide, close: () => asker?.close() };
}

function exitCode(outcomes: readonly Outcome[], isDecided: boolean): number {
  if (outcomes.some(({ change }) => change === 'refused')) return 4;
  const isOpen = outcomes.some(({ change, done }) => change !== 'none' && !done);
  if (!isOpen || isDecided) return 0;
  tell('Nothing was written. Give --yes to do this, or --dry-run only to look.');
  return 2;
}
