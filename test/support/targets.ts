import { ApiError, type ErrorCode } from '../../src/contract/errors.ts';
import type { Caller, OperationName, Output } from '../../src/contract/index.ts';
import { type Engine, owner, startEngine } from './engine.ts';

/** One way to reach the engine. Scenarios are written once and run on every target. */
export type Target = {
  engine: Engine;
  /** Answers the operation's output; throws when it is refused. */
  call<N extends OperationName>(name: N, input: Input): Promise<Output<N>>;
  /** Answers how the operation is refused; throws when it is not. */
  refusal(name: OperationName, input: Input): Promise<Refusal>;
  /** The same engine as another caller. */
  as(caller: Partial<Caller>): Target;
  stop(): Promise<void>;
};

export type Input = Record<string, unknown>;
export type Refusal = { code: ErrorCode; message: string };

export const targets = [['directly', startDirect]] as const satisfies readonly (readonly [
  string,
  () => Promise<Target>,
])[];

async function startDirect(): Promise<Target> {
  const engine = await startEngine();
  return directTarget(engine, owner);
}

function directTarget(engine: Engine, caller: Caller): Target {
  const call: Target['call'] = (name, input) =>
    engine.invoke(name, { ...waitFor(name), ...input }, { caller });
  return {
    engine,
    call,
    refusal: (name, input) => refusalOf(call(name, input)),
    as: (other) => directTarget(engine, { ...caller, ...other }),
    stop: () => engine.stop(),
  };
}

/** Scenarios look at what is stored, so an add waits unless it says otherwise. */
function waitFor(name: OperationName): Input {
  return name === 'add_memory' ? { async_mode: false } : {};
}

async function refusalOf(answer: Promise<unknown>): Promise<Refusal> {
  const value = await answer.catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
  if (value instanceof ApiError) return { code: value.code, message: value.message };
  throw new Error(`expected a refusal, got ${JSON.stringify(value)}`);
}
