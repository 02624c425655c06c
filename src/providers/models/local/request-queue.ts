import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { reasonOf } from '../../../contract/errors.ts';
import type { FromModelProcess, ModelRequest, ModelResult } from './process-messages.ts';

/** Computes in steps, so that a question can go first between two of them. */
export type StepwiseModel = { run(ask: ModelRequest): Generator<Promise<void>, ModelResult> };

type QueuedRequest = {
  id: number;
  isUrgent: boolean;
  steps: Generator<Promise<void>, ModelResult>;
};

/** Runs one step of one request at a time: those that a caller waits for come first. */
export function createRequestQueue(
  model: StepwiseModel,
  tell: (message: FromModelProcess) => void,
) {
  const jobs: QueuedRequest[] = [];
  let running = false;

  const step = async (job: QueuedRequest): Promise<void> => {
    try {
      const { done, value } = job.steps.next();
      if (!done) return await value;
      removeRequest(jobs, job.id);
      tell({ id: job.id, answer: value });
    } catch (error) {
      removeRequest(jobs, job.id);
      tell({ id: job.id, error: reasonOf(error) });
    }
  };
  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    for (;;) {
      // Messages that have arrived, such as a cancellation, are handled before the next step.
      await turnOfOthers();
      const next = jobs.find(({ isUrgent }) => isUrgent) ?? jobs[0];
      if (next === undefined) break;
      await step(next);
    }
    running = false;
  };

  return {
    add: (id: number, ask: ModelRequest): void => {
      const isUrgent = ask.task === 'rerank' || ask.purpose === 'question';
      jobs.push({ id, isUrgent, steps: model.run(ask) });
      void run(); // it catches what fails
    },
    cancel: (id: number): void => removeRequest(jobs, id),
  };
}

function removeRequest(jobs: QueuedRequest[], id: number): void {
  const at = jobs.findIndex((job) => job.id === id);
  if (at >= 0) jobs.splice(at, 1);
}
