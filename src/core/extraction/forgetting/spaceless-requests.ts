import { detectRuleLanguages, rulesOf } from '../languages/all-languages.ts';
import type { ForgettingSigns } from '../languages/forgetting-words.ts';

/** Chinese and Japanese, whose words no spaces tell apart. */
export const spacelessScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

type SpacelessObject = { telling: string[]; around: string; isAll: boolean; isBare: boolean };

/** The runs of a request that say what to forget: a memory that is meant holds each as it is. */
export function spacelessWords(sentence: string): SpacelessObject {
  const text = sentence.normalize('NFKC').toLowerCase();
  const signs = signsOf(text);
  if (signs === null) return { telling: [], around: text, isAll: false, isBare: false };
  const around = text.replace(signs.after, '').replace(signs.before, '');
  const runs = around.split(signs.between).filter((run) => run.trim() !== '');
  const telling = runs.flatMap((run) => stemsOf(run, signs));
  const isBare = !signs.ofUser.test(around);
  return { telling: [...new Set(telling)], around, isAll: signs.all.test(text), isBare };
}

function signsOf(text: string): ForgettingSigns | null {
  const [language] = detectRuleLanguages(text);
  return language === undefined ? null : rulesOf(language).forgetting.signs;
}

/** Verbs without their endings; what is written without ideographs stays. */
function stemsOf(run: string, { stems, endings }: ForgettingSigns): string[] {
  if (stems === null) return [run];
  return run.match(stems) ?? (endings.split(' ').includes(run) ? [] : [run]);
}

/** "Tanaka owes me": the user is named, but as the one to whom it is done. */
export function isDoneToUser(text: string): boolean {
  return signsOf(text)?.toUser.test(text) ?? false;
}

/** Whether a memory begins with it, or tells that there is such a one. */
export function isTopicOfSpaceless(memory: string, topic: string): boolean {
  const signs = signsOf(memory);
  if (signs === null) return false;
  const text = memory.toLowerCase().replace(signs.ofUser, '');
  const at = text.indexOf(topic);
  const [before, after] = [text.slice(0, at), text.slice(at + topic.length)];
  if (at === 0) return !signs.attitude.test(after);
  // Four signs or more say more than the name of a thing: "花生过敏".
  return /^\p{Script=Han}{4,}$/u.test(topic) || signs.has.test(before) || signs.had.test(after);
}
