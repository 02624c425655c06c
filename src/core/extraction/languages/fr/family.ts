/** Relatives, friends, others whom one knows, and pets: the source of a pattern. */
export const frenchFamily =
  '(?:femme|mari|conjointe?|copine|copain|mère|maman|père|papa|sœur|' +
  'soeur|frère|fils|fille|enfant|bébé|' +
  'grand-mère|grand-père|tante|oncle|cousine?|nièce|neveu|amie?|' +
  'voisine?|chef|collègue|' +
  'chienne?|chat(?:te)?|colocataire)';
