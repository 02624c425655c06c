import type { ChangeWords } from '../change-words.ts';

export const frenchChanges: ChangeWords = {
  ended: "arrêt|résili|abandonn|fini |quitté|ne .{0,20}plus |n[’'].{0,20}plus ",
  died: 'mort[es]* |décéd',
  sold: 'vendu|donné |jeté',
  moved: 'déménag|parti',
  rehomed: 'déménag',
  changed: 'remplac|passé |au lieu|à la place',
  now: 'maintenant|désormais|depuis ',
  again: 'de nouveau|repris',
  parted: 'rompu|quittés|divorcé',
  other:
    '(?:mon|ma) (?:frère|sœur|mère|père|ami|voisin|collègue|cousin|tante|oncle|fils|fille|chef)',
  once: 'aujourd|hier |cette semaine|ce soir|exception',
  also: 'aussi |également|en plus',
  likes: 'aime|aimé|préfér|raffol',
  dislikes: 'détest|hais |hait |aim\\p{L}+ (?:pas|plus)|horreur|support\\p{L}+ (?:pas|plus)',
  not: 'pas |jamais ',
  lives: 'habite|vis |vit ',
  works: 'travaill',
  has: 'possède |a une? |ai une? ',
  uses: 'utilise ',
  plans: 'vol |voyage|rendez-vous',
  revised: 'en fait|finalement|en réalité|je me suis tromp|reporté|déplacé|décalé|annul',
  polite: 'merci',
};
