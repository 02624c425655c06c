import * as z from 'zod';
import { ApiError } from '../../contract/errors.ts';

/** The fields of a hook input that matter here; others are ignored. */
const HookEvent = z.object({
  transcript_path: z.string().nullish(),
  cwd: z.string().nullish(),
  prompt: z.string().nullish(),
});
export type HookEvent = z.output<typeof HookEvent>;

/** A prompt may hold a pasted file. */
const bytesMax = 8 * 1024 * 1024;

/** Reads the JSON object that a client sends on standard input. */
export async function readHookEvent(input: NodeJS.ReadStream = process.stdin): Promise<HookEvent> {
  if (input.isTTY)
    throw new ApiError('invalid', 'a hook reads JSON from standard input; let a client run it');
  const event = HookEvent.safeParse(parseJson(await readAllInput(input)));
  if (event.success) return event.data;
  const [issue] = event.error.issues;
  throw new ApiError('invalid', `${issue?.path.join('.') ?? 'input'}: ${issue?.message}`);
}

async function readAllInput(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    // Reads the rest too, because a broken pipe would be an error for the client.
    if (bytes <= bytesMax) chunks.push(part);
  }
  if (bytes > bytesMax) throw new ApiError('too_large', 'the hook input is too large');
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError('invalid', 'the hook input is not valid JSON', { cause: error });
  }
}
