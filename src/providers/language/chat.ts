import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/object.ts';
import type { Clock } from '../../core/ports.ts';
import type { ModelAnswer, PostToModel } from '../models/post.ts';
import { refusal } from '../models/refusal.ts';
import type { Meter } from './meter.ts';

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/**
 * What a model is asked, and for what kind of answer: prose, a JSON object, or one that fits a JSON
 * Schema, where the server can see to that.
 */
export type Asked = { messages: readonly ChatMessage[]; answer: 'text' | 'json' | AnswerSchema };

export type AnswerSchema = { name: string; schema: Record<string, unknown> };

/** What came of it. `too_long`: what was asked, or what was answered, had no room in the model. */
export type Answered =
  | { kind: 'told'; text: string }
  | { kind: 'too_long' }
  | { kind: 'refused' }
  | { kind: 'unreadable' };

export type Chat = {
  model: string;
  /** Throws `unavailable` when no answer could be had. */
  ask(asked: Asked, options: { meter: Meter; signal: AbortSignal }): Promise<Answered>;
};

export type ChatOptions = {
  post: PostToModel;
  model: string | null;
  /** Longest answer to ask for. */
  output_tokens: number;
  /** How many tokens a text has, about: for servers that do not tell. */
  tokensOf: (text: string) => number;
  clock: Clock;
};

/** Any server with the `POST /chat/completions` of OpenAI. */
export function createChat(options: ChatOptions): Chat {
  const { model, output_tokens, tokensOf } = options;
  const post = createPost(options);
  // Servers differ in what they understand; what one has refused is not tried again.
  let manner = firstManner;
  return {
    model: model ?? 'default',
    ask: async ({ messages, answer: wanted }, { meter, signal }) => {
      for (;;) {
        const used = manner;
        const body = {
          ...(model !== null && { model }),
          messages,
          ...(used.temperature && { temperature: 0 }),
          ...(used.limit !== 'none' && { [used.limit]: output_tokens }),
          ...formatOf(used, wanted),
        };
        const answer = await post(body, { meter, signal });
        if (answer.status === 200) {
          const asked = messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
          return read(answer.body, { meter, asked, tokensOf });
        }
        const problem = problemIn(answer.body);
        if (answer.status === 413 || tooLong.test(problem)) return { kind: 'too_long' };
        const next = easier(used, { problem, wanted });
        if (next === null) throw refusal('llm', answer);
        manner = next;
      }
    },
  };
}

type Asking = { meter: Meter; signal: AbortSignal };

/** Statuses that are about what was asked: another request may do better at once. */
const ofRequest = [200, 400, 413, 422];

/** Posts, but for a while not to a server that is away: nothing waits for it then. */
function createPost({ post, clock }: ChatOptions) {
  let awayUntil = 0;
  const isAway = () => {
    awayUntil = Date.parse(clock.now()) + awayMs;
  };
  return async (body: unknown, { meter, signal }: Asking): Promise<ModelAnswer> => {
    if (Date.parse(clock.now()) < awayUntil) {
      throw new ApiError('unavailable', 'the language model was away a moment ago');
    }
    await meter.begin();
    const answer = await post('/chat/completions', body, { patient: true, signal }).catch(
      (error: unknown) => {
        if (!signal.aborted || isTimeout(signal.reason)) isAway();
        throw error;
      },
    );
    if (ofRequest.includes(answer.status)) return answer;
    isAway();
    throw refusal('llm', answer);
  };
}

const awayMs = 30_000;

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** How a server is asked: the form of its answer, its length, and how inventive it may be. */
type Manner = {
  json_schema: boolean;
  json_object: boolean;
  limit: 'max_tokens' | 'max_completion_tokens' | 'none';
  temperature: boolean;
};

const firstManner: Manner = {
  json_schema: true,
  json_object: true,
  limit: 'max_tokens',
  temperature: true,
};

const tooLong = /context (?:length|window|size)|maximum context|too (?:long|many tokens)/i;

type Refused = { problem: string; wanted: Asked['answer'] };

/** What to leave out of a request that a server does not understand; null when nothing is left. */
function easier(manner: Manner, { problem, wanted }: Refused): Manner | null {
  if (/max_completion_tokens/.test(problem) && manner.limit === 'max_tokens') {
    return { ...manner, limit: 'max_completion_tokens' };
  }
  if (/max_(?:completion_)?tokens/.test(problem) && manner.limit !== 'none') {
    return { ...manner, limit: 'none' };
  }
  if (/temperature/.test(problem) && manner.temperature) return { ...manner, temperature: false };
  if (manner.json_schema && typeof wanted === 'object') return { ...manner, json_schema: false };
  if (manner.json_object && wanted !== 'text') return { ...manner, json_object: false };
  return null;
}

function formatOf({ json_schema, json_object }: Manner, wanted: Asked['answer']) {
  if (typeof wanted === 'object' && json_schema) {
    return { response_format: { type: 'json_schema', json_schema: { ...wanted, strict: true } } };
  }
  return wanted !== 'text' && json_object ? { response_format: { type: 'json_object' } } : {};
}

/** What a server says is wrong, for choosing another manner: it is shown to nobody. */
function problemIn(body: unknown): string {
  return JSON.stringify(body ?? '').slice(0, problemMaxChars);
}

const problemMaxChars = 4000;

type Counting = { meter: Meter; asked: number; tokensOf: (text: string) => number };

async function read(body: unknown, { meter, asked, tokensOf }: Counting): Promise<Answered> {
  const { choices, usage } = { choices: null, usage: null, ...(body as object | null) };
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  const { message, finish_reason } = { message: null, finish_reason: null, ...objectOf(choice) };
  const { content, refusal: refused } = { content: null, refusal: null, ...objectOf(message) };
  const text = textOf(content);
  const { prompt_tokens, completion_tokens } = {
    prompt_tokens: null,
    completion_tokens: null,
    ...objectOf(usage),
  };
  await meter.end({
    input_tokens: countOf(prompt_tokens) ?? asked,
    output_tokens: countOf(completion_tokens) ?? tokensOf(text),
  });
  if (typeof refused === 'string' && refused !== '') return { kind: 'refused' };
  if (finish_reason === 'content_filter') return { kind: 'refused' };
  if (finish_reason === 'length') return { kind: 'too_long' };
  return text.trim() === '' ? { kind: 'unreadable' } : { kind: 'told', text };
}

function objectOf(value: unknown): object {
  return isObject(value) ? value : {};
}

/** A text, or a list of parts of which some are texts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => textOf({ text: '', ...objectOf(part) }.text)).join('');
}

function countOf(tokens: unknown): number | null {
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Number(tokens) : null;
}
