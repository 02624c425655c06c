import type { Sender } from '../../src/core/ports.ts';

type Request = Parameters<Sender['post']>[0];

/** Records what is sent, and answers as `answer` says. */
export type TestSender = Sender & {
  requests: Request[];
  answer: (request: Request) => { status: number };
};

export function createTestSender(): TestSender {
  const sender: TestSender = {
    requests: [],
    problemOf: () => null,
    answer: () => ({ status: 200 }),
    post: async (request) => {
      sender.requests.push(request);
      return sender.answer(request);
    },
  };
  return sender;
}
