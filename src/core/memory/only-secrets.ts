/** Why nothing is stored of a text that says nothing but a secret. */
export const onlySecretReason =
  'a secret was removed, nothing else was left to remember, and nothing is stored';

/** Whether a text says nothing else; the words of languages are only read where a secret was. */
export async function saysOnlySecrets(text: string): Promise<boolean> {
  if (!text.includes('[REDACTED:')) return false;
  const { holdsOnlySecrets } = await import('../extraction/judging/only-secrets.ts');
  return holdsOnlySecrets(text);
}
