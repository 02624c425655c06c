import type { SentenceWords } from '../rules.ts';

export const frenchSentences: SentenceWords = {
  speaker: "mon|ma|mes|je|j['’]\\p{L}+|nous|notre",
  joints: 'et|mais',
  conjunctions: 'et|mais|car|parce que|puisque',
  relatives: 'qui|dont|que',
  people: 'ils?(?! (?:y a|faut|fait|pleut|neige))|elles?|lui|leur',
  things: "ils?|c['’]est|c['’]était|ça|celui|celle",
  anybody: /^(?:et |mais )?ils (?:ont|vont|veulent) /iu,
  unnamed: [
    /^(?:vient|arrive|commence|finit|ouvre|ferme|coûte|dure) (?:le |à |en |dès |vers |demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|\p{N})/iu,
    /^(?:on|nous|je) (?:fait|faisons|fais|prend|prenons|prends|va|allons|vais) (?:\S+ ){1,4}(?:à la place|plutôt)[.!]*$/iu,
    /^(?:oui|non|ok|d['’]accord),? mais (?!(?:.{0,60} )?(?:je|j['’]\p{L}+|m[aeo]n?|nous|notre|nos)(?!\p{L}))/iu,
  ],
  joining: 'et|ou|qui|que',
  possessives: 'son|sa|ses|mon|ma|mes',
  role: 'comme',
  places: 'chez|pour|à|dans|en',
  textTasks: 'tradui|résum|corrig|reformul|réécri',
  abbreviations: 'dr|prof|mme|mlle|ste|bd|blvd|av|tel',
};
