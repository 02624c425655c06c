import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import type { Clock } from '../../core/ports/index.ts';
import { modelServerError } from '../models/model-server.ts';
import type { ModelResponse, PostToModel } from '../models/post.ts';
import type { UsageMeter } from './token-budget.ts';

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/**
 * A request to a model, and the form of its response: prose, a JSON object, or one that fits a JSON
 * Schema, if the server supports that.
 */
export type ChatRequest = {
  messages: readonly ChatMessage[];
  format: 'text' | 'json' | ResponseSchema;
};

export type ResponseSchema = { name: string; schema: Record<string, unknown> };

/** The outcome. `too_long`: the request or the response exceeded the model's limit. */
export type ChatResult =
  | { kind: 'text'; text: string }
  | { kind: 'too_long' }
  | { kind: 'refused' }
  | { kind: 'unreadable' };

export type ChatModel = {
  model: string;
  /** Throws `unavailable` without a response. */
  complete(
    asked: ChatRequest,
    options: { meter: UsageMeter; signal: AbortSignal },
  ): Promise<ChatResult>;
};

export type ChatModelOptions = {
  post: PostToModel;
  model: string | null;
  /** The longest response to request. */
  output_tokens: number;
  /** Estimates the tokens of a text, for servers that do not report usage. */
  tokensOf: (text: string) => number;
  clock: Clock;
};

/** Any server with the `POST /chat/completions` of OpenAI. */
export function createChatModel(options: ChatModelOptions): ChatModel {
  const { model, output_tokens, tokensOf } = options;
  const post = createBreakerPost(options);
  // Servers differ in their capabilities; a refused one is not tried again.
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

/** Statuses that concern the request: a different request may succeed at once. */
const requestStatuses = [200, 400, 413, 422];

/** Posts, but fails at once for a while after the server was unreachable. */
function createBreakerPost({ post, clock }: ChatModelOptions) {
  let awayUntil = 0;
  const openBreaker = () => {
    awayUntil = Date.parse(clock.now()) + breakerOpenMs;
  };
  return async (body: unknown, { meter, signal }: ChatCallOptions): Promise<ModelResponse> => {
    if (Date.parse(clock.now()) < awayUntil) {
      throw new ApiError('unavailable', 'the language model was unreachable a moment ago');
    }
    await meter.begin();
    const answer = await post('/chat/completions', body, { retry: true, signal }).catch(
      (error: unknown) => {
        if (!signal.aborted || isTimeout(signal.reason)) openBreaker();
        throw error;
      },
    );
    if (requestStatuses.includes(answer.status)) return answer;
    openBreaker();
    throw modelServerError('llm', answer);
  };
}

const breakerOpenMs = 30_000;

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** The request parameters that a server supports: response format, length and temperature. */
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

/** The capabilities without the one that a server refused; null if none is left to drop. */
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

/** The server's error text, used only to choose other capabilities. */
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
  return text.trim() === '' ? { kind: 'unreadable' } : { kind: 'text', text };
}

function asObject(value: unknown): object {
  return isObject(value) ? value : {};
}

/** The text of a content: a string, or a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => contentText({ text: '', ...asObject(part) }.text)).join('');
}

function tokenCount(tokens: unknown): number | null {
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Number(tokens) : null;
}
