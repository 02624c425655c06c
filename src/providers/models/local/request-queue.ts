import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { FromModelProcess, ModelRequest, ModelResult } from './process-messages.ts';

/** Computes part by part, so that between two of them a question can go first. */
export type StepwiseModel = { run(ask: ModelRequest): Generator<Promise<void>, ModelResult> };

type QueuedRequest = {
  id: number;
  isUrgent: boolean;
  steps: Generator<Promise<void>, ModelResult>;
};

/** Answers one part of one request at a time: those that somebody waits for first. */
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
      tell({ id: job.id, error: error instanceof Error ? error.message : String(error) });
    }
  };
  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    for (;;) {
      // What has come meanwhile, a cancellation say, is read before the next part.
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
