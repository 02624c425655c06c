import { isUsualQuestion } from './usual-question.ts';

/**
 * What a text asks; the code that finds a question beside a paste is loaded for the first long
 * text.
 */
export async function askedIn(text: string): Promise<string> {
  if (isUsualQuestion(text)) return text;
  const { questionIn } = await import('./question-in.ts');
  return questionIn(text);
}
