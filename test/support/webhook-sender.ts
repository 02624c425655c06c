import type { WebhookSender } from '../../src/core/ports/index.ts';

type Request = Parameters<WebhookSender['post']>[0];

/** Records what is sent, and responds as `answer` says. */
export type TestSender = WebhookSender & {
  requests: Request[];
  answer: (request: Request) => { status: number };
};

export function createTestSender(): TestSender {
  const sender: TestSender = {
    requests: [],
    urlProblem: () => null,
    answer: () => ({ status: 200 }),
    post: async (request) => {
      sender.requests.push(request);
      return sender.answer(request);
    },
  };
  return sender;
}
