import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import type { Clock } from '../../core/ports/index.ts';
import { modelServerError } from '../models/model-server.ts';
import type { ModelResponse, PostToModel } from '../models/post.ts';
import type { UsageMeter } from './token-budget.ts';

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/**
 * What a model is asked, and for what kind of answer: prose, a JSON object, or one that fits a JSON
 * Schema, where the server can see to that.
 */
export type ChatRequest = {
  messages: readonly ChatMessage[];
  format: 'text' | 'json' | ResponseSchema;
};

export type ResponseSchema = { name: string; schema: Record<string, unknown> };

/** What came of it. `too_long`: what was asked, or what was answered, had no room in the model. */
export type ChatResult =
  | { kind: 'told'; text: string }
  | { kind: 'too_long' }
  | { kind: 'refused' }
  | { kind: 'unreadable' };

export type ChatModel = {
  model: string;
  /** Throws `unavailable` when no answer could be had. */
  complete(
    asked: ChatRequest,
    options: { meter: UsageMeter; signal: AbortSignal },
  ): Promise<ChatResult>;
};

export type ChatModelOptions = {
  post: PostToModel;
  model: string | null;
  /** Longest answer to ask for. */
  output_tokens: number;
  /** How many tokens a text has, about: for servers that do not tell. */
  tokensOf: (text: string) => number;
  clock: Clock;
};

/** Any server with the `POST /chat/completions` of OpenAI. */
export function createChatModel(options: ChatModelOptions): ChatModel {
  const { model, output_tokens, tokensOf } = options;
  const post = createBreakerPost(options);
  // Servers differ in what they understand; what one has refused is not tried again.
  let manner = allCapabilities;
  return {
    model: model ?? 'default',
    complete: async ({ messages, format: wanted }, { meter, signal }) => {
      for (;;) {
        const used = manner;
        const body = {
          ...(model !== null && { model }),
          messages,
          ...(used.temperature && { temperature: 0 }),
          ...(used.token_limit_field !== 'none' && { [used.token_limit_field]: output_tokens }),
          ...responseFormat(used, wanted),
        };
        const answer = await post(body, { meter, signal });
        if (answer.status === 200) {
          const asked = messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
          return readCompletion(answer.body, { meter, asked, tokensOf });
        }
        const problem = errorText(answer.body);
        if (answer.status === 413 || contextOverflowPattern.test(problem))
          return { kind: 'too_long' };
        const next = downgrade(used, { problem, wanted });
        if (next === null) throw modelServerError('llm', answer);
        manner = next;
      }
    },
  };
}

type ChatCallOptions = { meter: UsageMeter; signal: AbortSignal };

/** Statuses that are about what was asked: another request may do better at once. */
const requestStatuses = [200, 400, 413, 422];

/** Posts, but for a while not to a server that is away: nothing waits for it then. */
function createBreakerPost({ post, clock }: ChatModelOptions) {
  let awayUntil = 0;
  const isAway = () => {
    awayUntil = Date.parse(clock.now()) + breakerOpenMs;
  };
  return async (body: unknown, { meter, signal }: ChatCallOptions): Promise<ModelResponse> => {
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
    if (requestStatuses.includes(answer.status)) return answer;
    isAway();
    throw modelServerError('llm', answer);
  };
}

const breakerOpenMs = 30_000;

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** How a server is asked: the form of its answer, its length, and how inventive it may be. */
type ServerCapabilities = {
  json_schema: boolean;
  json_object: boolean;
  token_limit_field: 'max_tokens' | 'max_completion_tokens' | 'none';
  temperature: boolean;
};

const allCapabilities: ServerCapabilities = {
  json_schema: true,
  json_object: true,
  token_limit_field: 'max_tokens',
  temperature: true,
};

const contextOverflowPattern =
  /context (?:length|window|size)|maximum context|too (?:long|many tokens)/i;

type RejectedRequest = { problem: string; wanted: ChatRequest['format'] };

/** What to leave out of a request that a server does not understand; null when nothing is left. */
function downgrade(
  manner: ServerCapabilities,
  { problem, wanted }: RejectedRequest,
): ServerCapabilities | null {
  if (/max_completion_tokens/.test(problem) && manner.token_limit_field === 'max_tokens') {
    return { ...manner, token_limit_field: 'max_completion_tokens' };
  }
  if (/max_(?:completion_)?tokens/.test(problem) && manner.token_limit_field !== 'none') {
    return { ...manner, token_limit_field: 'none' };
  }
  if (/temperature/.test(problem) && manner.temperature) return { ...manner, temperature: false };
  if (manner.json_schema && typeof wanted === 'object') return { ...manner, json_schema: false };
  if (manner.json_object && wanted !== 'text') return { ...manner, json_object: false };
  return null;
}

function responseFormat(
  { json_schema, json_object }: ServerCapabilities,
  wanted: ChatRequest['format'],
) {
  if (typeof wanted === 'object' && json_schema) {
    return { response_format: { type: 'json_schema', json_schema: { ...wanted, strict: true } } };
  }
  return wanted !== 'text' && json_object ? { response_format: { type: 'json_object' } } : {};
}

/** What a server says is wrong, for choosing another manner: it is shown to nobody. */
function errorText(body: unknown): string {
  return JSON.stringify(body ?? '').slice(0, errorTextMaxChars);
}

const errorTextMaxChars = 4000;

type UsageContext = { meter: UsageMeter; asked: number; tokensOf: (text: string) => number };

async function readCompletion(
  body: unknown,
  { meter, asked, tokensOf }: UsageContext,
): Promise<ChatResult> {
  const { choices, usage } = { choices: null, usage: null, ...(body as object | null) };
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  const { message, finish_reason } = { message: null, finish_reason: null, ...asObject(choice) };
  const { content, refusal: refused } = { content: null, refusal: null, ...asObject(message) };
  const text = contentText(content);
  const { prompt_tokens, completion_tokens } = {
    prompt_tokens: null,
    completion_tokens: null,
    ...asObject(usage),
  };
  await meter.end({
    input_tokens: tokenCount(prompt_tokens) ?? asked,
    output_tokens: tokenCount(completion_tokens) ?? tokensOf(text),
  });
  if (typeof refused === 'string' && refused !== '') return { kind: 'refused' };
  if (finish_reason === 'content_filter') return { kind: 'refused' };
  if (finish_reason === 'length') return { kind: 'too_long' };
  return text.trim() === '' ? { kind: 'unreadable' } : { kind: 'told', text };
}

function asObject(value: unknown): object {
  return isObject(value) ? value : {};
}

/** A text, or a list of parts of which some are texts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => contentText({ text: '', ...asObject(part) }.text)).join('');
}

function tokenCount(tokens: unknown): number | null {
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Number(tokens) : null;
}
