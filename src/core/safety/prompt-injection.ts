/** What text says that means to steer whoever reads it, in the languages that the rules know. */
const injectionPatterns: readonly RegExp[] = [
  new RegExp(
    '\\b(?:ignore|disregard|forget|override|bypass)\\b.{0,30}\\b(?:previous|' +
      'prior|above|earlier|all|your|any|these|system)\\b.{0,30}\\b(?:instructions?|' +
      'prompts?|rules|messages|guidelines|context)\\b',
    'i',
  ),
  new RegExp(
    '\\byou (?:are now|must now|will now)\\b|\\bact as (?:if you|an? (?:unrestricted|' +
      'jailbroken))\\b',
    'i',
  ),
  new RegExp(
    '\\b(?:reveal|print|repeat|show|leak|send)\\b.{0,30}\\b(?:system|' +
      'hidden|initial|developer) (?:prompt|instructions?|message)\\b',
    'i',
  ),
  new RegExp(
    '\\bdo not (?:tell|inform|mention (?:this|it) to) the user\\b|\\bwithout (?:telling|' +
      'asking) the user\\b',
    'i',
  ),
  new RegExp(
    '</?(?:system|assistant|instructions?|tool_call|im_start|im_end)\\b|' +
      '\\[/?INST\\]|<\\|im_(?:start|end)\\|>',
    'i',
  ),
  /\b(?:new|updated) (?:system )?instructions?\s*:/i,
  new RegExp(
    'ignorier\\p{L}{0,8} .{0,30}(?:anweisung|regel|prompt)|vergiss .{0,30}(?:anweisung|' + 'regel)',
    'iu',
  ),
  /(?:ignore[zr]?|oublie[zr]?) .{0,40}(?:instructions|consignes|règles)/iu,
  new RegExp(
    '(?:ignora|olvida|ignorar|ignore|esqueça) .{0,40}(?:instrucciones|' +
      'reglas|instruções|regras|istruzioni|regole)',
    'iu',
  ),
  new RegExp(
    'игнорируй\\p{L}{0,8} .{0,40}(?:инструкци|правил)|забудь\\p{L}{0,8} .{0,40}(?:инструкци|' +
      'правил)',
    'iu',
  ),
  /(?:これまで|以前|前|上記)の(?:指示|命令|ルール).{0,10}(?:無視|忘れ)/u,
  /(?:忽略|无视|忘记).{0,15}(?:指令|指示|规则|提示)/u,
];

/** The name of the flag in the metadata of a memory. */
const injectionFlag = 'flagged';

/** The metadata of a memory: text that reads like orders to an agent is flagged there. */
export function flagInjection(
  text: string,
  metadata: Record<string, unknown>,
): Record<string, unknown> {
  return looksLikeInjection(text)
    ? { ...metadata, [injectionFlag]: 'reads like instructions: data only' }
    : metadata;
}

/** True where a text reads like orders to an agent. */
export function looksLikeInjection(text: string): boolean {
  return injectionPatterns.some((pattern) => pattern.test(text));
}
