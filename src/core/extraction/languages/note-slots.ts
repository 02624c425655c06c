/**
 * The slot that a note about "the user" fills, in the languages whose own rules know what people
 * say of themselves ("ich wohne in"); null for none. Programs that write notes write them so.
 */
export function noteSlotOf(note: string): string | null {
  const found = notes.find(({ pattern }) => pattern.test(note));
  return found?.slot ?? null;
}

const german = '(?:(?:Der|Die) )?(?:Be)?[Nn]utzer(?:in)?';
const french = "L['’]utilisat(?:eur|rice)";
const spanish = '(?:El |La )?[Uu]suari[oa]';
const italian = "L['’]utente";
const portuguese = '(?:O |A )?[Uu]suári[oa]';
const russian = 'Пользователь(?:ница)?';

/** What stands for "the user" and a verb; a home and an employer have a name. */
const notes: readonly { slot: string; pattern: RegExp }[] = [
  {
    slot: 'lives_in',
    pattern: anyOf(
      `${german} (?:wohnt|lebt) (?:jetzt |seit .{1,20} )?in (?=\\p{Lu})`,
      `${french} (?:habite|vit) (?:à |en |au |aux )?(?=\\p{Lu})`,
      `${spanish} vive en (?=\\p{Lu})`,
      `${italian} (?:vive|abita) (?:a|in) (?=\\p{Lu})`,
      `${portuguese} (?:mora|vive) (?:em|no|na) (?=\\p{Lu})`,
      `${russian} жив[её]т в(?:о)? (?=\\p{Lu})`,
      'ユーザーは.{1,12}に(?:住んで|住み|住む|在住)',
      '用[户戶](?:现在)?(?:住在|居住在)',
    ),
  },
  {
    slot: 'works_at',
    pattern: anyOf(
      `${german} arbeitet (?:jetzt |seit .{1,20} )?bei (?=\\p{Lu})`,
      `${french} travaille chez (?=\\p{Lu})`,
      `${spanish} trabaja (?:en|para) (?=\\p{Lu})`,
      `${italian} lavora (?:in|per|alla|da) (?=\\p{Lu})`,
      `${portuguese} trabalha (?:na|no|em|para) (?=\\p{Lu})`,
      `${russian} работает в (?=\\p{Lu})`,
      '用[户戶](?:现在)?在.{2,12}(?:公司|银行)(?:工作|上班)',
    ),
  },
  {
    slot: 'relationship',
    pattern: anyOf(
      `${german} ist (?:verheiratet|ledig|Single|geschieden|verwitwet|verlobt)`,
      `${french} est (?:mariée?|célibataire|divorcée?|veuf|veuve|fiancée?)`,
      `${spanish} (?:está|es) (?:casad|solter|divorciad|viud|prometid)[oa]`,
      `${italian} è (?:sposat|divorziat|vedov|fidanzat)[oa]|${italian} è single`,
      `${portuguese} é (?:casad|solteir|divorciad|viúv)[oa]`,
      `${russian} (?:женат|замужем|развед[её]н|холост|не замужем|не женат)`,
      'ユーザーは(?:独身|既婚|結婚して|離婚して)',
      '用[户戶](?:是)?(?:已婚|单身|离婚|离异)',
    ),
  },
];

function anyOf(...starts: readonly string[]): RegExp {
  return new RegExp(`^(?:${starts.join('|')})`, 'u');
}
