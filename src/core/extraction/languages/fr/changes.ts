export const frenchChanges = [
  "arrêt|résili|abandonn|fini |quitté|ne .{0,20}plus |n[’'].{0,20}plus ",
  'mort[es]* |décéd',
  'vendu|donné |jeté',
  'déménag|parti',
  'remplac|passé |au lieu|à la place',
  'maintenant|désormais|depuis ',
  'de nouveau|repris',
  'rompu|quittés|divorcé',
  'détest|hais |hait |aim\\p{L}+ (?:pas|plus)|horreur|support\\p{L}+ (?:pas|plus)',
  'en fait|finalement|en réalité|je me suis tromp|reporté|déplacé|décalé|annul',
].join('|');
