import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Answer, Ask, FromModel } from './protocol.ts';

/** Computes part by part, so that between two of them a question can go first. */
export type Model = { answer(ask: Ask): Generator<Promise<void>, Answer> };

type Job = { id: number; isQuestion: boolean; steps: Generator<Promise<void>, Answer> };

/** Answers one part of one request at a time: those that somebody waits for first. */
export function createAnswering(model: Model, tell: (message: FromModel) => void) {
  const jobs: Job[] = [];
  let running = false;

  const step = async (job: Job): Promise<void> => {
    try {
      const { done, value } = job.steps.next();
      if (!done) return await value;
      remove(jobs, job.id);
      tell({ id: job.id, answer: value });
    } catch (error) {
      remove(jobs, job.id);
      tell({ id: job.id, error: error instanceof Error ? error.message : String(error) });
    }
  };
  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    for (;;) {
      // What has come meanwhile, a cancellation say, is read before the next part.
      await turnOfOthers();
      const next = jobs.find(({ isQuestion }) => isQuestion) ?? jobs[0];
      if (next === undefined) break;
      await step(next);
    }
    running = false;
  };

  return {
    add: (id: number, ask: Ask): void => {
      const isQuestion = ask.task === 'rerank' || ask.purpose === 'question';
      jobs.push({ id, isQuestion, steps: model.answer(ask) });
      void run(); // it catches what fails
    },
    cancel: (id: number): void => remove(jobs, id),
  };
}

function remove(jobs: Job[], id: number): void {
  const at = jobs.findIndex((job) => job.id === id);
  if (at >= 0) jobs.splice(at, 1);
}
