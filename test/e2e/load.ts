import { listOf, type Service } from './service.ts';

/** What clients sent to a service that may die any time, and what was acknowledged. */
export type Ledger = {
  /** The text of each verbatim add with the returned id; null if none was returned. */
  added: Map<string, string | null>;
  /** Text of each add whose facts are extracted, with its event. */
  queued: Map<string, string | null>;
  /** Texts sent to each memory in order, and how many of them were acknowledged. */
  updated: Map<string, { texts: string[]; acknowledged: number }>;
  /** Memories whose delete was sent, and whether it was acknowledged. */
  deleted: Map<string, boolean>;
};

export const user_id = 'alex';

/** The memories that are there to be updated, by their ids. */
export function createLedger(memories: ReadonlyMap<string, string>): Ledger {
  return {
    added: new Map(),
    queued: new Map(),
    updated: new Map([...memories].map(([id, text]) => [id, { texts: [text], acknowledged: 1 }])),
    deleted: new Map(),
  };
}

/** Stores one text as it is, and returns the id of its memory. */
export async function addVerbatim({ send }: Service, text: string): Promise<string> {
  const body = { user_id, messages: text, infer: false };
  const answer = await send('POST', '/v1/memories/', { body });
  if (answer.status !== 200) throw new Error(`refused with ${answer.status}`);
  return String(listOf(answer)[0]?.id);
}

/** Writes of all kinds, many at a time, until the service is gone. */
export async function writeUntilGone(service: Service, ledger: Ledger, round: number) {
  const writers = [0, 1, 2].flatMap((index) => [
    repeat((count) => addOne(service, ledger, `Fact ${round}-${index}-${count}`)),
    repeat((count) =>
      queueOne(service, ledger, `Alex has visited place ${round}-${index}-${count}.`),
    ),
    repeat((count) => deleteOne(service, ledger, `Mistake ${round}-${index}-${count}`)),
  ]);
  const updaters = [...ledger.updated.keys()].map((id) =>
    repeat((count) =>
      updateOne(service, ledger, { id, text: `Version ${round}-${count} of ${id}` }),
    ),
  );
  await Promise.all([...writers, ...updaters]);
}

/** The first refused or unanswered write is the last one: the service is gone. */
async function repeat(write: (count: number) => Promise<void>): Promise<void> {
  for (let count = 0; ; count += 1) {
    try {
      await write(count);
    } catch {
      return;
    }
  }
}

async function addOne(service: Service, { added }: Ledger, text: string): Promise<void> {
  added.set(text, null);
  added.set(text, await addVerbatim(service, text));
}

async function queueOne({ send }: Service, { queued }: Ledger, text: string): Promise<void> {
  queued.set(text, null);
  const answer = await send('POST', '/v1/memories/', { body: { user_id, messages: text } });
  if (answer.status !== 200) throw new Error(`refused with ${answer.status}`);
  queued.set(text, String(listOf(answer)[0]?.event_id));
}

async function deleteOne(service: Service, { deleted }: Ledger, text: string): Promise<void> {
  const id = await addVerbatim(service, text);
  deleted.set(id, false);
  const { status } = await service.send('DELETE', `/v1/memories/${id}/`);
  deleted.set(id, status === 204);
}

async function updateOne(
  { send }: Service,
  { updated }: Ledger,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const own = updated.get(id);
  own?.texts.push(text);
  const { status } = await send('PUT', `/v1/memories/${id}/`, { body: { text } });
  if (own !== undefined && status === 200) own.acknowledged = own.texts.length;
}
