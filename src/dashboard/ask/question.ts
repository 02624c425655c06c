import type { Sent } from '../../client/operations.ts';
import { closestName } from '../../contract/did-you-mean.ts';
import type { Output } from '../../contract.ts';
import { listNewest } from '../owners/entity-input.tsx';
import { asOfPast } from '../parts/past.tsx';
import type { Params } from '../parts/place.ts';
import { client } from '../parts/session.ts';
import { textsOf } from '../parts/texts-of.ts';

/** The fields of the form and of the address, named as the API names them. */
export const ownerFields = ['user_id', 'agent_id', 'app_id', 'run_id'] as const;
export const numberFields = ['max_tokens', 'top_k'] as const;
export const questionFields = ['query', ...ownerFields, ...numberFields] as const;

/** A question as input of both calls. */
export type QuestionInputs = { search: Sent<'search_memories'>; context: Sent<'get_context'> };

/** An owner that the question names and that has no memories. */
export type UnknownOwner = { kind: string; id: string; nearest: string | null };

export type QuestionAnswer = {
  /** The question that it answers, as JSON. */
  key: string;
  search: Output<'search_memories'>;
  context: Output<'get_context'>;
  /** Texts of the memories that were left out, by id. */
  texts: ReadonlyMap<string, string>;
  unknown: UnknownOwner | null;
};

/** The question in the address; null if it has none. */
export function questionInAddress(params: Params): QuestionInputs | null {
  const { query = '', top_k, max_tokens } = params;
  if (query.trim() === '') return null;
  const scope = Object.fromEntries(
    ownerFields.flatMap((name) => (params[name] ? [[name, params[name]]] : [])),
  );
  const common = { query, ...scope, ...asOfPast() };
  return {
    search: { ...common, ...(top_k && { top_k: readNumber(top_k) }) },
    context: { ...common, ...(max_tokens && { max_tokens: readNumber(max_tokens) }) },
  };
}

/** Reads a number; text that is not a number becomes 0, and the server says what is allowed. */
function readNumber(text: string): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}

/** Reads both answers with their explanations, and the texts of what they leave out. */
export async function answerOf({ search, context }: QuestionInputs, key: string) {
  const [searchAnswer, contextAnswer] = await Promise.all([
    client.searchMemories({ ...search, explain: true }),
    client.getContext(context),
  ]);
  const left_out = [...(searchAnswer.explanation?.left_out ?? []), ...contextAnswer.left_out];
  const [texts, unknown] = await Promise.all([
    textsOf(left_out.map(({ id }) => id)),
    searchAnswer.results.length > 0 ? null : findUnknown(search),
  ]);
  const answers = { search: searchAnswer, context: contextAnswer };
  return { key, ...answers, texts, unknown } satisfies QuestionAnswer;
}

async function findUnknown(search: Sent<'search_memories'>): Promise<UnknownOwner | null> {
  const kinds = { user_id: 'user', agent_id: 'agent', app_id: 'app', run_id: 'run' } as const;
  for (const name of ownerFields) {
    const id = search[name];
    if (id === undefined || id === '*') continue;
    const input = { filters: { [name]: id }, fields: ['id'], page_size: 1 };
    const { total } = await client.getMemories({ ...input, show_waiting: true, ...asOfPast() });
    if (total > 0) continue;
    const names = (await listNewest(kinds[name])).map((one) => one.name);
    return { kind: kinds[name], id, nearest: nearestName(id, names) };
  }
  return null;
}

/** The name that was probably meant: it is spelled similarly, or contains the typed part. */
function nearestName(id: string, names: readonly string[]): string | null {
  const part = id.toLowerCase();
  const others = names.filter((name) => name !== id);
  return (
    closestName(id, others) ?? others.find((name) => name.toLowerCase().includes(part)) ?? null
  );
}
