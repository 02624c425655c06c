import * as z from 'zod';
import { type ImportedConversation, toUnixSeconds } from './conversation.ts';
import { shortHash } from './short-hash.ts';

/** An entry of `MyActivity.json`, which Google's archive has for Gemini: one prompt. */
const Activity = z.object({
  header: z.string().regex(/gemini|bard/i),
  title: z.string(),
  time: z.string(),
});

/** Google's words before a prompt, in the languages of mneme. */
const promptLabel =
  /^(?:Prompted|Said|Eingegebener Prompt:?|Requête saisie\s?:|Petición:|Richiesta inserita:)\s+/i;

/**
 * Null for anything but the list of activities. They name no conversation, so each is one, in
 * order of time; what Gemini did by itself is left out.
 */
export function parseGeminiActivities(
  values: readonly unknown[],
): (ImportedConversation | null)[] | null {
  if (!Activity.safeParse(values[0]).success) return null;
  return values.map((value) => {
    const { data } = Activity.safeParse(value);
    const content = data?.title.replace(promptLabel, '').trim() ?? '';
    if (data === undefined || content === '' || /^(?:Used|Created|Gave) /.test(content))
      return null;
    const turn = { role: 'user', content, at: toUnixSeconds(data.time) } as const;
    const id = shortHash(JSON.stringify([data.time, content]));
    return { id, title: null, source: 'gemini', turns: [turn] };
  });
}
