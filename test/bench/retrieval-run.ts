import { addsOf, type Conversation, type Dataset, type OwnerOf, type Question } from './dataset.ts';
import type { Engine } from './engines.ts';
import type { Asked, Stored } from './retrieval-report.ts';
import { countTokens, type Holders, ranksOf, readable } from './retrieval-scores.ts';
import { mean, timed } from './statistics.ts';

const topK = 20;
/** Enough results to fill `readTokens`, asked for apart from the search that is timed. */
const readTopK = 200;

/** One add after the other, as an agent makes them. */
export async function storeAll(
  engine: Engine,
  { conversations }: Dataset,
  { infer, ownerOf }: { infer: boolean; ownerOf?: OwnerOf },
): Promise<Stored> {
  const holders = new Map<string, Set<string>>();
  const stored = { holders, turns: 0, adds: 0, memories: 0, lost: 0, ms: 0 };
  for (const conversation of conversations) {
    progress(`storing ${conversation.id}`);
    for (const turn of conversation.turns) {
      const ids: string[] = [];
      for (const input of addsOf(conversation, turn, ownerOf)) {
        const { value, ms } = await timed(() => engine.add({ ...input, infer }));
        ids.push(...value);
        stored.adds += 1;
        stored.ms += ms;
      }
      for (const id of ids) {
        holders.set(id, (holders.get(id) ?? new Set()).add(`${conversation.id} ${turn.id}`));
      }
      stored.turns += 1;
      if (ids.length === 0) stored.lost += 1;
    }
  }
  return { ...stored, memories: holders.size };
}

export async function askAll(
  engine: Engine,
  dataset: Dataset,
  { holders, ownerOf = ({ id }) => id }: { holders: Holders; ownerOf?: OwnerOf },
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const conversation of dataset.conversations) {
    progress(`asking ${conversation.id}`);
    for (const question of conversation.questions) {
      asked.push(
        await ask(engine, { conversation, question, holders, user_id: ownerOf(conversation) }),
      );
    }
  }
  progress('');
  return asked;
}

type Asking = {
  conversation: Conversation;
  question: Question;
  holders: Holders;
  user_id: string;
};

async function ask(
  engine: Engine,
  { conversation, question, holders, user_id }: Asking,
): Promise<Asked> {
  const evidence = question.evidence.map((turn) => `${conversation.id} ${turn}`);
  const input = { query: question.question, user_id, threshold: 0, cut: 'off' };
  const { value, ms } = await timed(() => engine.search({ ...input, top_k: topK }));
  const more = await engine.search({ ...input, top_k: readTopK });
  const read = ranksOf(readable(more.hits), { evidence, holders });
  return {
    conversation: conversation.id,
    question: question.question,
    category: question.category,
    ranks: ranksOf(value.hits, { evidence, holders }),
    within: mean(read.map((rank) => (Number.isFinite(rank) ? 1 : 0))),
    tokens: countTokens(value.text),
    ms,
  };
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
