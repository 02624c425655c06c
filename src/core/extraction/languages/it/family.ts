/** Relatives, friends, others whom one knows, and pets: the source of a pattern. */
export const italianFamily =
  '(?:moglie|marito|fidanzata|fidanzato|compagna|compagno|madre|mamma|' +
  'padre|papà|sorella|fratello|' +
  'figlia|figlio|bambina|bambino|nonna|nonno|zia|zio|cugina|cugino|' +
  'nipote|amica|amico|vicina|' +
  'vicino|capo|collega|cane|gatta|gatto|coinquilina|coinquilino)';
