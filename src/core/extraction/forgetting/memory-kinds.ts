/**
 * Words for what kind of thing a memory says, and the slots that it then fills: of "forget my job"
 * a memory needs no "job" where rules know that it says what the user works as.
 */
const kinds: readonly (readonly [slots: readonly string[], words: string])[] = [
  [
    ['job', 'works_at'],
    `job work profession occupation employer arbeit beruf travail metier emploi trabajo empleo lavoro
    mestiere trabalho emprego profissao работа работу работе профессия`,
  ],
  [['lives_in'], 'live wohne wohnen habite vivo abito moro живу'],
  [['age'], 'age old alter edad eta idade возраст'],
  [['name'], 'name nombre nome prenom имя'],
  [['diet'], 'diet dieta ernahrung regime'],
  [['allergic_to'], 'allergy allergie alergia allergia аллергия аллергию аллергии'],
];

const byWord = new Map(
  kinds.flatMap(([slots, words]) => words.split(/\s+/).map((word) => [word, slots] as const)),
);

/** The slots of the kind that a word names, folded; mostly none. */
export function kindsOf(word: string): readonly string[] {
  return byWord.get(word) ?? [];
}
