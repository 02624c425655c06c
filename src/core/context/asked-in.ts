import { isUsualQuestion } from './usual-question.ts';

/** What a text asks; what looks for a question beside a paste is loaded with the first long one. */
export async function askedIn(text: string): Promise<string> {
  if (isUsualQuestion(text)) return text;
  const { questionIn } = await import('./question-in.ts');
  return questionIn(text);
}
